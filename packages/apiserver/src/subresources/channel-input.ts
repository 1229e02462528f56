/**
 * What a client says to a remote command: the messages of a WebSocket (channel 0, and the signal of v5.channel.k8s.io
 * that a channel is closed) or a stream of SPDY, as one stream of bytes for whoever runs the command.
 */
import { PassThrough, type Readable } from "node:stream";
import type { MessageTaker } from "../request/request.ts";

const STDIN = 0;
const CLOSE = 255;

/** Input of a remote command. */
export interface ChannelInput extends MessageTaker {
  /** The input, until the client closes it or is gone. */
  readonly bytes: Readable;
  /** Takes the input from a stream of its own instead of messages. */
  readonly follow: (source: Readable) => void;
}

/** Makes the input of a command; one that was not asked for has ended already. */
export function createChannelInput(isWanted: boolean, signal: AbortSignal): ChannelInput {
  const bytes = new PassThrough();
  const end = (): void => void bytes.end();
  let channel: number | undefined;
  if (!isWanted) end();
  signal.addEventListener("abort", end, { once: true });
  return {
    bytes,
    end,
    follow: (source) => void source.pipe(bytes),
    take(part, isFirst) {
      channel = isFirst ? part[0] : channel;
      const payload = isFirst ? part.subarray(1) : part;
      if (channel === CLOSE && payload[0] === STDIN) end();
      if (channel !== STDIN || bytes.writableEnded || payload.byteLength === 0) return true;
      return bytes.write(payload);
    },
    whenReady: (goOn) => void bytes.once("drain", goOn),
  };
}
