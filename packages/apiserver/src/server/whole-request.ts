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

/** What the lines of a head say. */
interface HeadFields {
  readonly headers: Headers;
  readonly bodyBytes: number;
}

/** What the heads of a connection said so far, by their text: clients repeat theirs with every request. */
export type KnownFields = Map<string, HeadFields>;

/** How many heads of a connection are remembered; bodies of another length make another head. */
const KNOWN_FIELDS_MAX = 32;

const HEAD_END = Buffer.from("\r\n\r\n");
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
 * The request that `chunk` is; undefined when it is more, less or other than one plain request. `known` is the connection's own:
 * what is in it is not read again, so equal heads have the same headers.
 */
export function parseWholeRequest(chunk: Buffer, known: KnownFields): WholeRequest | undefined {
  const end = chunk.indexOf(HEAD_END);
  if (end < 0 || end > HEAD_BYTES_MAX) return undefined;
  const head = chunk.toString("latin1", 0, end);
  const [line = "", method = "", path = ""] = REQUEST_LINE.exec(head) ?? [];
  if (line === "") return undefined;
  const text = head.slice(line.length);
  const fields = known.get(text) ?? learn(text, known);
  const start = end + HEAD_END.length;
  if (fields === undefined || chunk.length !== start + fields.bodyBytes) return undefined;
  if (method === "GET" && fields.bodyBytes > 0) return undefined;
  return { method, path, headers: fields.headers, body: chunk.subarray(start) };
}

function learn(text: string, known: KnownFields): HeadFields | undefined {
  const fields = parseFields(text);
  if (fields === undefined) return undefined;
  if (known.size >= KNOWN_FIELDS_MAX) known.clear();
  known.set(text, fields);
  return fields;
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
  return { headers, bodyBytes: Number(length) };
}

function isPlain(name: string, value: string): boolean {
  if (name === "connection") return value.toLowerCase() === "keep-alive";
  return !NOT_PLAIN.has(name) && !name.startsWith(IMPERSONATE);
}
