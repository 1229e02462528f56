/**
 * HTTP/1.1 requests that came whole and say nothing out of the ordinary: nearly all that clients of an API server send. Whatever
 * is not certainly one of these is left to Node.js, so what is read here cannot be read in two ways (RFC 9112 §11.2).
 */
import type { Headers } from "@kubewright/core/ports";

/** A request with its body. */
export interface WholeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The lines of a head that clients repeat with every request, and what they say. */
export interface HeadFields {
  readonly text: string;
  readonly headers: Headers;
  readonly bodyBytes: number;
}

/** No fields: what a connection begins with. */
export const NO_FIELDS: HeadFields = { text: "", headers: {}, bodyBytes: 0 };

const HEAD_END = "\r\n\r\n";
/** Node.js refuses longer ones. */
const HEAD_BYTES_MAX = 16 * 1024;

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/;
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const VALUE = /^[\x20-\x7e]*$/;
const LENGTH = /^\d{1,8}$/;

/** Fields that change how a message is framed or what becomes of its connection, or that may be repeated. */
const NOT_PLAIN: ReadonlySet<string> = new Set(["transfer-encoding", "upgrade", "expect", "te", "trailer"]);
const IMPERSONATE = "impersonate-";

/**
 * The request that `chunk` is, and its fields, to be given with the connection's next chunk: equal ones are not read again. Undefined
 * when it is more, less or other than one plain request.
 */
export function parseWholeRequest(
  chunk: Buffer,
  known: HeadFields,
): { readonly request: WholeRequest; readonly fields: HeadFields } | undefined {
  const end = chunk.indexOf(HEAD_END);
  if (end < 0 || end > HEAD_BYTES_MAX) return undefined;
  const head = chunk.toString("latin1", 0, end);
  const [line = "", method = "", path = ""] = REQUEST_LINE.exec(head) ?? [];
  if (line === "") return undefined;
  const text = head.slice(line.length);
  const fields = text === known.text ? known : parseFields(text);
  const start = end + HEAD_END.length;
  if (fields === undefined || chunk.length !== start + fields.bodyBytes) return undefined;
  if (method === "GET" && fields.bodyBytes > 0) return undefined;
  return { request: { method, path, headers: fields.headers, body: chunk.subarray(start) }, fields };
}

function parseFields(text: string): HeadFields | undefined {
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!NAME.test(name) || !VALUE.test(value)) return undefined;
    if (Object.hasOwn(headers, name) || !isPlain(name, value)) return undefined;
    headers[name] = value;
  }
  const length = headers["content-length"] ?? "0";
  if (headers["host"] === undefined || !LENGTH.test(length)) return undefined;
  return { text, headers, bodyBytes: Number(length) };
}

function isPlain(name: string, value: string): boolean {
  if (name === "connection") return value.toLowerCase() === "keep-alive";
  return !NOT_PLAIN.has(name) && !name.startsWith(IMPERSONATE);
}
