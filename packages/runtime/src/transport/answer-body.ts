/**
 * The body of an answer: a connection puts pieces in as they arrive, one reader takes them out, or is handed them at once. A sender that is
 * faster than the reader is asked to wait. Whoever stops reading before the end closes the connection.
 */
import type { ResponseBody } from "@kubewright/core/ports";

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

/** Waits for one piece. */
interface Reader {
  resolve(result: IteratorResult<Uint8Array>): void;
  reject(error: Error): void;
}

/** Is handed all pieces. */
interface Drain {
  take(piece: Uint8Array): void;
  resolve(): void;
  reject(error: Error): void;
}

/** Pieces on their way from a connection to a reader. */
export class AnswerBody implements ResponseBody, AsyncIterator<Uint8Array> {
  readonly #sender: BodySender;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #paused = false;
  #outcome: Outcome = "open";
  #reader: Reader | undefined;
  #drain: Drain | undefined;

  constructor(sender: BodySender) {
    this.#sender = sender;
  }

  /** A piece came, which is good until this returns. Throws what whoever is handed it throws. */
  push(passing: Uint8Array): void {
    if (this.#outcome !== "open") return;
    if (this.#drain !== undefined) {
      this.#drain.take(passing);
      return;
    }
    const piece = passing.slice();
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
    this.#drain?.resolve();
    this.#takeReader()?.resolve({ done: true, value: undefined });
  }

  /** Nothing more comes, although something is missing. */
  fail(error: Error): void {
    if (this.#outcome === "open") this.#outcome = { error };
    this.#drain?.reject(error);
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

  /** Hands on what came and what comes. */
  drain(take: (piece: Uint8Array) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handOn(take);
      this.#drain = { take, resolve, reject };
      if (this.#outcome === "ended") resolve();
      else if (this.#outcome !== "open") reject(this.#outcome.error);
      if (this.#paused) this.#sender.resume();
      this.#paused = false;
    });
  }

  /** The reader has had enough. */
  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.#outcome === "open") this.#sender.abandon();
    this.#outcome = "ended";
    this.#pieces.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  #handOn(take: (piece: Uint8Array) => void): void {
    try {
      for (const piece of this.#pieces.splice(0)) take(piece);
    } catch (error) {
      void this.return();
      throw error;
    }
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }
}
