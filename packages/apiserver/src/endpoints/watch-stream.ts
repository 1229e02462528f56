/**
 * The body of a watch: frames in the order they were pushed, at the reader's pace. Slow readers are cut off when the
 * frames that wait for them pass a limit; they come back and resume from their last version.
 */
import { encodeFailure, type Frame } from "./watch-frames.ts";

/** How much may wait for one slow reader. */
export interface WatchBufferLimits {
  readonly framesMax: number;
  readonly bytesMax: number;
}

/** Limits of every watch. */
export const WATCH_BUFFER_DEFAULT: WatchBufferLimits = { framesMax: 10_000, bytesMax: 32 * 1024 * 1024 };

/** Small frames travel together, up to this size. */
const CHUNK_BYTES = 64 * 1024;

/** A stream of frames that one reader takes. */
export class WatchStream implements AsyncIterable<Uint8Array> {
  readonly #limits: WatchBufferLimits;
  readonly #onEnd: () => void;
  /** What is told first, made when it is asked for. */
  #initial: Iterator<Frame> | undefined;
  #frames: Frame[] = [];
  #bytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(initial: Iterable<Frame>, onEnd: () => void, limits: WatchBufferLimits = WATCH_BUFFER_DEFAULT) {
    this.#initial = initial[Symbol.iterator]();
    this.#onEnd = onEnd;
    this.#limits = limits;
  }

  /** Adds a frame; ends the stream after what waits already if the reader is too slow for it. */
  push(frame: Frame): void {
    if (this.#ended) return;
    this.#bytes += sizeOf(frame);
    if (this.#frames.length >= this.#limits.framesMax || this.#bytes > this.#limits.bytesMax) {
      this.end();
      return;
    }
    this.#frames.push(frame);
    this.#wake?.();
  }

  /** Ends the stream after what was pushed. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd();
    this.#wake?.();
  }

  /** Ends the stream now; what waits is dropped. */
  abort(): void {
    this.#initial = undefined;
    this.#frames = [];
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    try {
      for (;;) {
        const frames = this.#takeInitial() ?? this.#takeFrames();
        if (frames.length > 0) {
          const { bytes, isLast } = await joined(frames);
          yield bytes;
          if (isLast) return;
        } else if (this.#ended) return;
        else await this.#arrival();
      }
    } finally {
      this.abort();
    }
  }

  #takeInitial(): readonly Frame[] | undefined {
    const taken: Frame[] = [];
    for (let bytes = 0; this.#initial !== undefined && bytes < CHUNK_BYTES; ) {
      const next = this.#initial.next();
      if (next.done === true) {
        this.#initial = undefined;
      } else {
        taken.push(next.value);
        bytes += sizeOf(next.value);
      }
    }
    return taken.length === 0 ? undefined : taken;
  }

  #takeFrames(): readonly Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return frames;
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** What a frame that is still being made counts for; it bounds how many are made at once. */
const PROMISED_BYTES = 1024;

function sizeOf(frame: Frame): number {
  return frame instanceof Promise ? PROMISED_BYTES : frame.byteLength;
}

/** The frames together; when one cannot be made, those before it and an event that says why, which is the last. */
async function joined(frames: readonly Frame[]): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  const [only] = frames;
  if (frames.length === 1 && only instanceof Uint8Array) return { bytes: only, isLast: false };
  const made: Uint8Array[] = [];
  for (const result of await Promise.allSettled(frames)) {
    made.push(result.status === "fulfilled" ? result.value : encodeFailure(result.reason));
    if (result.status === "rejected") return { bytes: Buffer.concat(made), isLast: true };
  }
  return { bytes: Buffer.concat(made), isLast: false };
}
