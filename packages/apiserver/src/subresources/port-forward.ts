/**
 * `pods/portforward`: connections to ports of a pod over one SPDY connection. For each, the client opens two streams that name the
 * same request: one for its bytes and one for an error. What listens on the port comes from whoever runs the pods.
 */
import { finished } from "node:stream/promises";
import type { Pod } from "@kubewright/api/core/v1";
import { badRequest } from "@kubewright/core/protocol";
import type { Endpoint } from "../endpoints/call.ts";
import type { SpdyStream } from "../spdy/connection.ts";
import type { PodHooks } from "./pod-hooks.ts";
import { requirePod } from "./pod-log.ts";
import { forwardChannels, portsOf } from "./port-channels.ts";
import { serveSpdy } from "./serve-spdy.ts";
import { agreeOnProtocol, isChannelUpgrade } from "./stream-protocol.ts";

const PROTOCOLS = ["portforward.k8s.io"];

/** Opens a port of the pod that connections are forwarded to. */
type OpenPort = NonNullable<PodHooks["openPort"]>;

/** The two streams of one connection to a port. */
interface StreamPair {
  readonly data?: SpdyStream;
  readonly error?: SpdyStream;
}

/** Makes the endpoint that forwards ports. */
export function portForwardEndpoint({ openPort }: PodHooks): Endpoint {
  return async (call) => {
    const pod = requirePod(call);
    const isScheduled = (pod.spec?.nodeName ?? "") !== "";
    if (!isScheduled || openPort === undefined) throw badRequest(`pod ${call.info.name} does not have a host assigned`);
    const { headers, signal } = call.request;
    if (isChannelUpgrade(headers)) return forwardChannels({ pod, ports: portsOf(call.info.query), openPort, signal });
    const protocol = agreeOnProtocol(headers, PROTOCOLS);
    const pairs = new Map<string, StreamPair>();
    const onStream = (stream: SpdyStream): void => pairUp(pairs, stream, (pair) => forward(pair, pod, openPort));
    return { status: 101, headers: {}, body: "", tunnel: { protocol, serve: (bytes) => serveSpdy(bytes, onStream) } };
  };
}

/** Keeps a stream until its other half is there; streams that say neither what they are nor which port they mean are reset. */
function pairUp(
  pairs: Map<string, StreamPair>,
  stream: SpdyStream,
  onPair: (pair: Required<StreamPair>) => Promise<void>,
): void {
  const type = stream.headers.get("streamtype");
  const request = requestOf(stream);
  const known = pairs.get(request) ?? {};
  if (!isPort(portOf(stream)) || (type !== "data" && type !== "error") || known[type] !== undefined) {
    stream.bytes.destroy();
    return;
  }
  const pair: StreamPair = { ...known, [type]: stream };
  const { data, error } = pair;
  if (data === undefined || error === undefined) {
    pairs.set(request, pair);
    stream.bytes.once("close", () => pairs.delete(request));
    return;
  }
  pairs.delete(request);
  void onPair({ data, error });
}

/** Clients that number no requests open the stream for the error first and the one for the bytes next to it. */
function requestOf({ headers, id }: SpdyStream): string {
  return headers.get("requestid") ?? String(headers.get("streamtype") === "data" ? id - 2 : id);
}

function portOf({ headers }: SpdyStream): number {
  return Number(headers.get("port"));
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}

/** One connection, from its start to its end; what goes wrong is told on the stream for errors, in kubelet's words. */
async function forward({ data, error }: Required<StreamPair>, pod: Pod, openPort: OpenPort): Promise<void> {
  const port = portOf(data);
  error.bytes.resume(); // Clients say nothing on it.
  try {
    const target = await openPort({ pod, port });
    data.bytes.once("close", () => target.destroy());
    data.bytes.pipe(target).pipe(data.bytes);
    await finished(target, { writable: false });
    error.bytes.end();
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const { name, uid } = pod.metadata ?? {};
    error.bytes.end(`error forwarding port ${port} to pod ${name}, uid ${uid}: ${text}`);
    data.bytes.end();
  }
}
