/** What every answer needs on its way to a socket: header values as bytes, and gzip for large bodies. */
import { promisify } from "node:util";
import type { ZlibOptions } from "node:zlib";
import type { Headers } from "@kubewright/core/ports";
import type { ApiResponse } from "../request/request.ts";

/** Answers smaller than this are not worth compressing. */
const GZIP_BYTES_MIN = 128 * 1024;

/** A header's value as it may stand in a head: text beyond ASCII goes as its UTF-8 bytes, one character for each. */
export function headerValue(text: string): string {
  return isAscii(text) ? text : Buffer.from(text.replace(/\p{Cc}/gu, " ")).toString("latin1");
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** True for bodies that come bit by bit. */
export function isStream(body: ApiResponse["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body !== "string" && !(body instanceof Uint8Array);
}

/** Whether a body of so many bytes is sent compressed to a client that sent these headers. */
export function wantsGzip(byteCount: number, { "accept-encoding": accepted = "" }: Headers): boolean {
  return byteCount > GZIP_BYTES_MIN && accepted.split(",").some((coding) => coding.trim() === "gzip");
}

/** Headers of a compressed answer. */
export const GZIP_HEADERS: Headers = { "content-encoding": "gzip", vary: "Accept-Encoding" };

/** A body, compressed. */
export async function gzipBytes(body: string | Uint8Array): Promise<Uint8Array> {
  const { gzip } = await import("node:zlib");
  return promisify<string | Uint8Array, ZlibOptions, Buffer>(gzip)(body, { level: 1 });
}
