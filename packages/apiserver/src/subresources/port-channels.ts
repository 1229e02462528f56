/**
 * `pods/portforward` by channels of a WebSocket (`v4.channel.k8s.io`), as kube-rs and the clients of browsers ask for it: two channels
 * for each port, one for its bytes and one for an error, each of which begins with the number of the port.
 */
import { PassThrough } from "node:stream";
import type { Pod } from "@kubewright/api/core/v1";
import { badRequest } from "@kubewright/core/protocol";
import type { ApiResponse, MessageTaker } from "../request/request.ts";
import type { PodHooks } from "./pod-hooks.ts";

/** Channels are numbered by one byte, and each port takes two. */
const PORTS_MAX = 127;

/** The ports that a query names. Throws a 400. */
export function portsOf(query: URLSearchParams): readonly number[] {
  const texts = query.getAll("ports").flatMap((text) => text.split(","));
  if (texts.length === 0) throw badRequest('query parameter "ports" is required');
  if (texts.length > PORTS_MAX) throw badRequest(`at most ${PORTS_MAX} ports can be forwarded over one connection`);
  return texts.map((text) => {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (port < 1 || port > 65_535) throw badRequest(`unable to parse ${JSON.stringify(text)} as a port`);
    return port;
  });
}

/** What is forwarded, and for whom. */
export interface ForwardedPorts {
  readonly pod: Pod;
  readonly ports: readonly number[];
  readonly openPort: NonNullable<PodHooks["openPort"]>;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** Connects to the ports; the answer ends when all of them have. */
export function forwardChannels({ pod, ports, openPort, signal }: ForwardedPorts): ApiResponse {
  const messages = new PassThrough({ objectMode: true });
  const inputs = ports.map(() => new PassThrough());
  const forwarded = ports.map(async (port, index) => {
    const [data, error] = [index * 2, index * 2 + 1];
    const number = Buffer.from([port & 0xff, port >> 8]);
    for (const channel of [data, error]) messages.write(message(channel, number));
    try {
      const target = await openPort({ pod, port });
      signal.addEventListener("abort", () => target.destroy(), { once: true });
      inputs[index]?.pipe(target);
      for await (const chunk of target) await written(messages, message(data, chunk), signal);
    } catch (cause) {
      const { name, uid } = pod.metadata ?? {};
      const text = cause instanceof Error ? cause.message : String(cause);
      const why = `error forwarding port ${port} to pod ${name}, uid ${uid}: ${text}`;
      messages.write(message(error, Buffer.from(why)));
    }
  });
  void Promise.all(forwarded).then(() => messages.end());
  return { status: 200, headers: {}, body: messages, messages: channelsTo(inputs) };
}

function message(channel: number, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([channel]), payload]);
}

/** Resolves once there is room for more. */
async function written(stream: PassThrough, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  if (stream.write(chunk)) return;
  await new Promise<void>((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** What clients say goes to the port whose channel it names. */
function channelsTo(inputs: readonly PassThrough[]): MessageTaker {
  let input: PassThrough | undefined;
  return {
    take(part, isFirst) {
      const channel = part[0] ?? 0;
      if (isFirst) input = channel % 2 === 0 ? inputs[channel / 2] : undefined;
      const payload = isFirst ? part.subarray(1) : part;
      return input === undefined || input.writableEnded || payload.byteLength === 0 || input.write(payload);
    },
    whenReady: (goOn) => void input?.once("drain", goOn),
    end() {
      for (const each of inputs) each.end();
    },
  };
}
