/** The head of an HTTP/1.1 request as it goes on the wire. http1-channel.ts sends it, with the body behind it. */
import { HEADER_VALUE_END, type Headers } from "@kubewright/core/ports";
import type { ChannelRequest } from "./http-channel.ts";

/** The headers that may stand several times in a request, and whose values may have commas. */
const REPEATED = "impersonate-";

/** The head of a request, to be followed by its body. */
export function encodeHead(request: ChannelRequest, host: string): string {
  const { method, path, headers } = request;
  const names = Object.keys(headers);
  let lines = "";
  for (const name of names) lines += `${name}: ${headers[name]}\r\n`;
  const head = headWith(lines, names.length, { request, host });
  if (head !== undefined) return head;
  const expanded = Object.entries(expandHeaders(headers)).flatMap(([name, value]) =>
    typeof value === "string" ? `${name}: ${value}\r\n` : value.map((each) => `${name}: ${each}\r\n`),
  );
  const repeated = headWith(expanded.join(""), expanded.length, { request, host });
  if (repeated !== undefined) return repeated;
  throw new TypeError(
    `${method} ${JSON.stringify(path)} has characters in its path or headers that no request can carry`,
  );
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

interface Addressed {
  readonly request: ChannelRequest;
  readonly host: string;
}

/** The head with these lines of headers; undefined when anything in it would break out of its line. */
function headWith(lines: string, count: number, { request, host }: Addressed): string | undefined {
  const { method, path, body } = request;
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines}`;
  const isBare = body === undefined && method === "GET";
  head += isBare ? "\r\n" : `content-length: ${Buffer.byteLength(body ?? "")}\r\n\r\n`;
  return path.includes(" ") || countControls(head) !== 2 * (count + (isBare ? 3 : 4)) ? undefined : head;
}

/** Line ends are all the control characters that a head may have; others would let a name in it become a header. */
function countControls(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) count++;
  }
  return count;
}
