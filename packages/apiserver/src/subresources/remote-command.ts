/**
 * Remote commands over SPDY, for clients that do not speak WebSocket: what a hook answers as messages of channels goes
 * out on one stream for each channel, and what clients say on the one for input is the command's.
 */
import { isQueryTrue } from "@kubewright/core/protocol";
import type { ResourceCall } from "../endpoints/call.ts";
import type { ApiResponse } from "../request/request.ts";
import type { SpdyStream } from "../spdy/connection.ts";
import type { ChannelInput } from "./channel-input.ts";
import { serveSpdy } from "./serve-spdy.ts";
import { agreeOnProtocol } from "./stream-protocol.ts";

/** The newest one for SPDY: the exit status is an object. */
const PROTOCOLS = ["v4.channel.k8s.io"];

/** The streams in the order of the channels. */
const CHANNELS = ["stdin", "stdout", "stderr", "error"] as const;

/** The answer of a hook, as a tunnel. Answers without messages stay as they are. */
export function overSpdy(
  { request, info }: ResourceCall,
  answer: ApiResponse,
  input: Pick<ChannelInput, "follow" | "end">,
): ApiResponse {
  const { body } = answer;
  if (typeof body === "string" || body instanceof Uint8Array) return answer;
  const protocol = agreeOnProtocol(request.headers, PROTOCOLS);
  const awaited = CHANNELS.filter((name) => name === "error" || isQueryTrue(info.query, name));
  return {
    ...answer,
    tunnel: {
      protocol,
      serve: (connection) => {
        const streams = new Map<string, SpdyStream>();
        connection.once("close", () => input.end());
        return serveSpdy(connection, (stream) => {
          const type = awaited.find((name) => name === stream.headers.get("streamtype"));
          if (type === undefined || streams.has(type)) return void stream.bytes.destroy();
          streams.set(type, stream);
          if (type === "stdin") input.follow(stream.bytes);
          else stream.bytes.resume();
          if (streams.size === awaited.length) sendMessages(body, streams).catch(() => connection.destroy());
        });
      },
    },
  };
}

async function sendMessages(
  messages: AsyncIterable<Uint8Array>,
  streams: ReadonlyMap<string, SpdyStream>,
): Promise<void> {
  for await (const message of messages) {
    const stream = streams.get(CHANNELS[message[0] ?? 0] ?? "");
    stream?.bytes.write(message.subarray(1));
  }
  for (const { bytes } of streams.values()) bytes.end();
}
