/**
 * What `kubectl logs` shows of simulated containers: the text of their script, cut as the request asks. A container that
 * has not started has printed nothing yet, which is an error in a kubelet's words. The API server asks through its hooks.
 */
import type { ContainerStatus, Pod } from "@kubewright/api/core/v1";
import type { PodLogRequest } from "@kubewright/apiserver";
import { formatTime } from "@kubewright/core/meta";
import { type Clock, sleep } from "@kubewright/core/ports";
import { badRequest } from "@kubewright/core/protocol";
import { behaviourOf, type ContainerScript } from "./script.ts";

/** How often a log that is followed looks whether its container has ended. */
const FOLLOW_POLL_MS = 1000;

/** What reading logs needs. */
export interface LogPorts {
  readonly scripts: readonly ContainerScript[];
  readonly clock: Clock;
  /** The pod as it is now; undefined when it is gone. */
  readonly findPod: (pod: Pod) => Promise<Pod | undefined>;
}

/** What a container printed; with `follow`, a stream that ends with the container. */
export async function readLogs(request: PodLogRequest, ports: LogPorts): Promise<string | AsyncIterable<Uint8Array>> {
  const startedAt = requireStart(request);
  const text = cut(printed(request, ports.scripts), request, { startedAt, now: ports.clock.now() });
  return request.follow ? follow(text, request, ports) : text;
}

async function* follow(text: string, request: PodLogRequest, ports: LogPorts): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
  let pod: Pod | undefined = request.pod;
  while (!request.signal.aborted && pod !== undefined && statusOf(pod, request.container)?.state?.running) {
    try {
      await sleep(ports.clock, FOLLOW_POLL_MS, request.signal);
    } catch {
      return; // The client is gone.
    }
    pod = await ports.findPod(request.pod);
  }
}

function printed({ pod, container }: PodLogRequest, scripts: readonly ContainerScript[]): string {
  const inits = pod.spec?.initContainers ?? [];
  const isInit = inits.some(({ name }) => name === container);
  const described = [...(pod.spec?.containers ?? []), ...inits].find(({ name }) => name === container);
  const { logs = "" } = behaviourOf(scripts, pod, described ?? { name: container }, isInit).script;
  return typeof logs === "string" ? logs : logs(pod, container);
}

/** When the asked run of the container started. Throws a 400 when it has not. */
function requireStart({ pod, container, previous }: PodLogRequest): string {
  const status = statusOf(pod, container);
  const name = pod.metadata?.name;
  const run = previous ? status?.lastState : status?.state;
  const startedAt = run?.running?.startedAt ?? run?.terminated?.startedAt ?? startOfLast(status, previous);
  if (startedAt !== undefined) return startedAt;
  if (previous) throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  const reason = status?.state?.waiting?.reason ?? "ContainerCreating";
  throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${reason}`);
}

/** While a container waits to be restarted, its last run is the one to read. */
function startOfLast(status: ContainerStatus | undefined, previous: boolean): string | undefined {
  return previous ? undefined : status?.lastState?.terminated?.startedAt;
}

function statusOf({ status }: Pod, container: string): ContainerStatus | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find(({ name }) => name === container);
}

/** All lines carry the time at which the container started. */
function cut(
  text: string,
  request: PodLogRequest,
  times: { readonly startedAt: string; readonly now: number },
): string {
  const { sinceSeconds, sinceTime, tailLines, timestamps, limitBytes } = request;
  const startedMs = Date.parse(times.startedAt);
  const sinceMs = sinceTime === undefined ? undefined : Date.parse(sinceTime);
  const fromMs = sinceSeconds === undefined ? sinceMs : times.now - sinceSeconds * 1000;
  if (fromMs !== undefined && startedMs < fromMs) return "";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const kept = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
  const stamped = timestamps ? kept.map((line) => `${formatTime(startedMs)} ${line}`) : kept;
  const whole = stamped.map((line) => `${line}\n`).join("");
  return limitBytes === undefined ? whole : Buffer.from(whole).subarray(0, limitBytes).toString();
}
