/** The head of an HTTP/1.1 request as it goes on the wire. http1-channel.ts sends it, with the body behind it. */
import type { ChannelRequest } from "./http-channel.ts";

/** The head of a request, to be followed by its body. */
export function encodeHead({ method, path, headers, body }: ChannelRequest, host: string): string {
  const names = Object.keys(headers);
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name of names) head += `${name}: ${headers[name]}\r\n`;
  head += body === undefined && method === "GET" ? "\r\n" : `content-length: ${Buffer.byteLength(body ?? "")}\r\n\r\n`;
  const lines = names.length + (body === undefined && method === "GET" ? 3 : 4);
  if (path.includes(" ") || countControls(head) !== 2 * lines) {
    throw new TypeError(
      `${method} ${JSON.stringify(path)} has characters in its path or headers that no request can carry`,
    );
  }
  return head;
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
