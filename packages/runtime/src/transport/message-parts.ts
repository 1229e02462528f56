/**
 * Puts the frames of a WebSocket message together. websocket.ts gives it what a server sends and hands the messages on. Always holds: what
 * waits for the end of its message has a limit, in bytes and in frames, for a frame of one byte takes far more memory than that.
 */
import type { Frame } from "@kubewright/core/protocol";

/** Frames and messages that are larger are an error. Commands write messages of 32 KiB. */
export const MESSAGE_BYTES_MAX: number = 16 * 1024 * 1024;

/** How many frames a message may have: some servers make frames of 4 KiB of what is larger. */
const MESSAGE_FRAMES_MAX = 16 * 1024;

/** The frames of the message that is coming. */
export class MessageParts {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /** True for a frame that goes on with a message which did not begin, or begins one within another (RFC 6455, section 5.4). */
  isOutOfTurn({ kind }: Frame): boolean {
    return (kind === "continuation") !== this.#parts.length > 0;
  }

  /** The message that ends with this frame; undefined when more of them follow. Throws when it is too large. */
  add({ payload, final }: Frame): Uint8Array | undefined {
    this.#parts.push(payload);
    this.#bytes += payload.byteLength;
    if (this.#bytes > MESSAGE_BYTES_MAX || this.#parts.length > MESSAGE_FRAMES_MAX) {
      throw new Error(
        `the server sent a message without end: more than ${MESSAGE_BYTES_MAX} bytes or ${MESSAGE_FRAMES_MAX} frames; see what is between it and this client`,
      );
    }
    if (!final) return undefined;
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    return parts.length === 1 ? payload : Buffer.concat(parts);
  }
}
