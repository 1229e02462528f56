/** url(): absolute URLs and paths, taken apart as Go's net/url does. */
import { quote } from "../../../protocol/go-format.ts";
import { isRequestUri } from "../../formats-text.ts";
import { CelError } from "../cel-error.ts";
import { type Declaration, declare } from "../overloads.ts";
import { listOf, mapOf, type Value } from "../values.ts";
import { traversal } from "./costs.ts";
import { opaqueType } from "./opaque.ts";

interface ParsedUrl {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const urlType = opaqueType<ParsedUrl>("kubernetes.URL", ({ text }) => text);

/** Why a text is no URL, as Go says it. */
export function urlProblem(text: string): string | undefined {
  if (isRequestUri(text)) return undefined;
  return text === "" ? 'parse "": empty url' : `parse ${quote(text)}: invalid URI for request`;
}

function parseUrl(value: Value | undefined): ParsedUrl {
  const text = value as string;
  const problem = urlProblem(text);
  if (problem !== undefined) throw new CelError(`URL parse error during conversion from string: ${problem}`);
  const [withoutFragment = ""] = text.split("#");
  const [, scheme = "", , authority = "", path = "", , query = ""] =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(\/\/([^/?]*))?([^?]*)(\?(.*))?$/s.exec(withoutFragment) ?? [];
  return { text, scheme: scheme.toLowerCase(), host: authority.slice(authority.lastIndexOf("@") + 1), path, query };
}

function portOf(host: string): string {
  return /:(\d*)$/.exec(host.replace(/^\[[^\]]*\]/, ""))?.[1] ?? "";
}

function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/, "");
}

/** The path as it is when its escapes are right, otherwise escaped anew. */
function escapedPath(path: string): string {
  if (/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path;
  const decoded = path.replace(/(?:%[0-9a-fA-F]{2})+/g, (part) =>
    Buffer.from(part.replaceAll("%", ""), "hex").toString(),
  );
  return encodeURI(decoded).replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("?", "%3F");
}

function queryOf(query: string): Value {
  const values = new Map<string, string[]>();
  for (const part of query.split("&").filter((each) => each !== "" && !each.includes(";"))) {
    const [key = "", value = ""] = part
      .split(/=(.*)/s)
      .map((piece) => piece.replaceAll("+", " ").replace(/(?:%[0-9a-fA-F]{2})+/g, decode));
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return mapOf(Array.from(values, ([key, list]) => [key, listOf(list)] as const));
}

function decode(escaped: string): string {
  return Buffer.from(escaped.replaceAll("%", ""), "hex").toString();
}

/** All functions on URLs. */
export const urls: readonly Declaration[] = [
  declare("url(string) kubernetes.URL", ([text]) => urlType.make(parseUrl(text)), traversal()),
  declare("isURL(string) bool", ([text]) => urlProblem(text as string) === undefined, traversal()),
  declare("kubernetes.URL->getScheme() string", ([url]) => urlType.dataOf(url).scheme),
  declare("kubernetes.URL->getHost() string", ([url]) => urlType.dataOf(url).host),
  declare("kubernetes.URL->getHostname() string", ([url]) => hostnameOf(urlType.dataOf(url).host)),
  declare("kubernetes.URL->getPort() string", ([url]) => portOf(urlType.dataOf(url).host)),
  declare("kubernetes.URL->getEscapedPath() string", ([url]) => escapedPath(urlType.dataOf(url).path)),
  declare("kubernetes.URL->getQuery() map(string, list(string))", ([url]) => queryOf(urlType.dataOf(url).query)),
];
