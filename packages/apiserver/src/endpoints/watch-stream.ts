/**
 * The body of a watch: frames in the order they were pushed, at the reader's pace. Slow readers are cut off when the
 * frames that wait for them pass a limit; they come back and resume from their last version.
 */
import type { HandedEvent } from "@kubewright/core/ports";
import { type Frame, failureEvent, NOTHING, type Piece, toBytes } from "./watch-frames.ts";

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
  #cutOff: () => void = () => {};

  constructor(initial: Iterable<Frame>, onEnd: () => void, limits: WatchBufferLimits = WATCH_BUFFER_DEFAULT) {
    this.#initial = initial[Symbol.iterator]();
    this.#onEnd = onEnd;
    this.#limits = limits;
  }

  /** Calls `cutOff` when the reader is too slow: what waits would otherwise be kept for as long as it does not read. */
  whenTooSlow(cutOff: () => void): void {
    this.#cutOff = cutOff;
  }

  /** Adds a frame; ends the stream after what waits already if the reader is too slow for it. */
  push(frame: Frame): void {
    if (this.#ended) return;
    this.#bytes += sizeOf(frame);
    if (this.#frames.length >= this.#limits.framesMax || this.#bytes > this.#limits.bytesMax) {
      this.end();
      this.#cutOff();
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

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#iterate((pieces) => {
      const [only] = pieces;
      return pieces.length === 1 && only !== undefined ? toBytes(only) : Buffer.concat(pieces.map(toBytes));
    });
  }

  /** The events themselves, for a reader whose form hands them over. */
  events(): AsyncIterable<readonly HandedEvent[]> {
    const isEvent = (piece: Piece): piece is HandedEvent => !(piece instanceof Uint8Array);
    return { [Symbol.asyncIterator]: () => this.#iterate((pieces) => pieces.filter(isEvent)) };
  }

  /** Written by hand: an event of a thousand watchers resumes a thousand of these, and generators in generators add up. */
  #iterate<Value>(show: (pieces: readonly Piece[]) => Value): AsyncIterator<Value> {
    const finish = (): IteratorResult<Value> => {
      this.abort();
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        const pieces = await this.#nextBatch();
        return pieces === undefined ? finish() : { done: false, value: show(pieces) };
      },
      return: async () => finish(),
    };
  }

  /** What waits, once something does; undefined at the end. */
  async #nextBatch(): Promise<readonly Piece[] | undefined> {
    for (;;) {
      const frames = this.#takeInitial() ?? this.#takeFrames();
      if (frames.length === 0) {
        if (this.#ended) return undefined;
        await this.#arrival();
        continue;
      }
      if (!frames.some(isPromised)) return frames as readonly Piece[];
      const { pieces, isLast } = await arrived(frames);
      if (isLast) this.abort();
      const told = pieces.filter((piece) => piece !== NOTHING);
      if (told.length > 0) return told;
    }
  }

  #takeInitial(): readonly Frame[] | undefined {
    if (this.#initial === undefined) return undefined;
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

  /** Nearly always all of them; a reader that was slow gets its arrears bit by bit, for they are copied to be sent. */
  #takeFrames(): readonly Frame[] {
    const count = this.#bytes <= CHUNK_BYTES ? this.#frames.length : this.#countOfChunk();
    if (count < this.#frames.length) {
      const taken = this.#frames.splice(0, count);
      this.#bytes -= sum(taken.map(sizeOf));
      return taken;
    }
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return frames;
  }

  /** How many frames go into one chunk; at least one. */
  #countOfChunk(): number {
    let bytes = 0;
    const last = this.#frames.findIndex((frame) => {
      bytes += sizeOf(frame);
      return bytes >= CHUNK_BYTES;
    });
    return last < 0 ? this.#frames.length : last + 1;
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

/** What a frame counts for that has no bytes yet, or never will; it bounds how many wait at once. */
const FRAME_BYTES = 1024;

function sizeOf(frame: Frame): number {
  return frame instanceof Uint8Array ? frame.byteLength : FRAME_BYTES;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isPromised(frame: Frame): boolean {
  return frame instanceof Promise;
}

interface Batch {
  readonly pieces: readonly Piece[];
  readonly isLast: boolean;
}

/** All frames; when one cannot be made, those before it and an event that says why, which is the last. */
async function arrived(frames: readonly Frame[]): Promise<Batch> {
  const pieces: Piece[] = [];
  for (const result of await Promise.allSettled(frames)) {
    pieces.push(result.status === "fulfilled" ? result.value : failureEvent(result.reason));
    if (result.status === "rejected") return { pieces, isLast: true };
  }
  return { pieces, isLast: false };
}
