/**
 * The body of an answer: a connection puts pieces in as they arrive, one reader takes them out. A sender that is faster than the reader
 * is asked to wait. Whoever stops reading before the end closes the connection.
 */

/** Bytes that wait for the reader before the sender is asked to wait. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** The sender, as its body sees it. */
export interface BodySender {
  pause(): void;
  resume(): void;
  /** Nobody reads on. */
  abandon(): void;
}

type Outcome = "open" | "ended" | { readonly error: Error };

/** Pieces on their way from a connection to a reader. */
export class AnswerBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #sender: BodySender;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #paused = false;
  #outcome: Outcome = "open";
  #reader: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: Error): void } | undefined;

  constructor(sender: BodySender) {
    this.#sender = sender;
  }

  /** A piece came. */
  push(piece: Uint8Array): void {
    if (this.#outcome !== "open") return;
    const reader = this.#takeReader();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: piece });
      return;
    }
    this.#pieces.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#paused || this.#waitingBytes <= WAITING_BYTES_MAX) return;
    this.#paused = true;
    this.#sender.pause();
  }

  /** Everything came. */
  end(): void {
    if (this.#outcome === "open") this.#outcome = "ended";
    this.#takeReader()?.resolve({ done: true, value: undefined });
  }

  /** Nothing more comes, although something is missing. */
  fail(error: Error): void {
    if (this.#outcome === "open") this.#outcome = { error };
    this.#takeReader()?.reject(error);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  /** The next piece. */
  next(): Promise<IteratorResult<Uint8Array>> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#waitingBytes -= piece.byteLength;
      return Promise.resolve({ done: false, value: piece });
    }
    if (this.#outcome === "ended") return Promise.resolve({ done: true, value: undefined });
    if (this.#outcome !== "open") return Promise.reject(this.#outcome.error);
    if (this.#paused) this.#sender.resume();
    this.#paused = false;
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** The reader has had enough. */
  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#outcome === "open") this.#sender.abandon();
    this.#outcome = "ended";
    this.#pieces.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  #takeReader(): { resolve(result: IteratorResult<Uint8Array>): void; reject(error: Error): void } | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }
}
