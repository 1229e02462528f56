/** The head of an HTTP/1.1 request as it goes on the wire. http1-channel.ts sends it, with the body behind it. */
import { HEADER_VALUE_END, type Headers } from "@kubewright/core/ports";
import type { ChannelRequest } from "./http-channel.ts";

/** The headers that may stand several times in a request, and whose values may have commas. */
const REPEATED = "impersonate-";

/** The head of a request, to be followed by its body. */
export function encodeHead({ method, path, headers, body }: ChannelRequest, host: string): string {
  const lines = linesOf(headers);
  if (lines === undefined || BREAKING.test(path) || BREAKING.test(method)) {
    throw new TypeError(
      `${method} ${JSON.stringify(path)} has characters in its path or headers that no request can carry`,
    );
  }
  const start = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines}`;
  if (body === undefined && method === "GET") return `${start}\r\n`;
  return `${start}content-length: ${Buffer.byteLength(body ?? "")}\r\n\r\n`;
}

/** Most requests have the same few headers, whose lines are made once. */
const known = new WeakMap<Headers, string>();

/** The lines of headers; undefined when one of them would break out of its line. */
function linesOf(headers: Headers): string | undefined {
  const before = known.get(headers);
  if (before !== undefined) return before;
  const lines = Object.entries(expandHeaders(headers)).flatMap(([name, value]) =>
    typeof value === "string" ? `${name}: ${value}` : value.map((each) => `${name}: ${each}`),
  );
  if (lines.some((line) => CONTROL.test(line))) return undefined;
  const text = lines.map((line) => `${line}\r\n`).join("");
  known.set(headers, text);
  return text;
}

/** Headers with all values of those that are repeated. */
export function expandHeaders(headers: Headers): Readonly<Record<string, string | string[]>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) =>
      name.startsWith(REPEATED) && value.endsWith(HEADER_VALUE_END)
        ? [name, value.slice(0, -HEADER_VALUE_END.length).split(HEADER_VALUE_END)]
        : [name, value],
    ),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: line ends and their like would let a value become a header.
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, and a space would end the path.
const BREAKING = /[\u0000-\u0020\u007f]/;
