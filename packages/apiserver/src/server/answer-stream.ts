/**
 * Answers that come bit by bit (watches, logs), written at the client's pace. Both ways to serve a connection
 * (http1-connection.ts, http-exchange.ts) give what they write to as a `StreamOutput`.
 */

/** Where chunks go. */
export interface StreamOutput {
  /** What tells that more may be written. */
  readonly target: Pick<NodeJS.EventEmitter, "once" | "off">;
  /** False when the client does not keep up: the next chunk should wait. */
  write(chunk: Uint8Array): boolean;
}

/** Writes chunks as they come, waiting while the client does not take them; stops when `signal` aborts. */
export async function writeStream(
  out: StreamOutput,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of body) {
    if (signal.aborted) break;
    if (!out.write(chunk)) await drained(out.target, signal);
  }
}

const chunks = new WeakMap<Uint8Array, Uint8Array>();

/**
 * Bytes as a chunk of chunked transfer coding (RFC 9112 §7.1), framed once for all watchers that get the same bytes: Node.js
 * would write each frame in four pieces, a moment later, for each of them.
 */
export function chunkOf(bytes: Uint8Array): Uint8Array {
  const known = chunks.get(bytes);
  if (known !== undefined) return known;
  const size = Buffer.from(`${bytes.byteLength.toString(16)}\r\n`);
  const chunk = Buffer.concat([size, bytes, Buffer.from("\r\n")]);
  chunks.set(bytes, chunk);
  return chunk;
}

/** Resolves when `target` takes more, or `signal` aborts. */
export function drained(target: StreamOutput["target"], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      target.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    target.once("drain", done);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
