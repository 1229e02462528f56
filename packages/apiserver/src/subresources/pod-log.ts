/**
 * `pods/log`: what a container printed. Which container is meant is found here; the text itself comes from whoever runs
 * the pods, through `PodHooks`. A pod that runs nowhere has printed nothing.
 */
import type { Pod } from "@kubewright/api/core/v1";
import { parseTime } from "@kubewright/core/meta";
import {
  badRequest,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  invalidError,
  isQueryTrue,
  notFound,
} from "@kubewright/core/protocol";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import type { ApiResponse } from "../request/request.ts";
import type { PodHooks, PodLogRequest } from "./pod-hooks.ts";

/** Makes the endpoint that serves "get" of pods/log. */
export function podLogEndpoint({ readLogs }: PodHooks): Endpoint {
  return async (call) => {
    const options = parseLogOptions(call);
    const pod = requirePod(call);
    const container = requireContainer(pod, call.info.query.get("container") ?? "");
    const request: PodLogRequest = { ...options, pod, container, signal: call.request.signal };
    const isScheduled = (pod.spec?.nodeName ?? "") !== "";
    if (!isScheduled || readLogs === undefined) return plainAnswer(204, "");
    return plainAnswer(200, await readLogs(request));
  };
}

/** The pod that a call is about. Throws a 404. */
export function requirePod({ backend, info, resource }: ResourceCall): Pod {
  const pod = backend.reader.get("pods", info.namespace, info.name);
  if (pod === undefined) throw notFound(resource.definition, info.name);
  return pod as unknown as Pod;
}

/** The container that is meant: the named one, or the only one. Throws a 400. */
export function requireContainer(pod: Pod, name: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? { containers: [] };
  const podName = pod.metadata?.name ?? "";
  const all = [...containers, ...initContainers, ...ephemeralContainers].map((container) => container.name);
  if (name !== "") {
    if (all.includes(name)) return name;
    throw badRequest(`container ${name} is not valid for pod ${podName}`);
  }
  const [only] = containers;
  if (containers.length === 1 && only !== undefined) return only.name;
  const preferred = pod.metadata?.annotations?.["kubectl.kubernetes.io/default-container"];
  if (preferred !== undefined && all.includes(preferred)) return preferred;
  const choices = [...initContainers, ...containers, ...ephemeralContainers].map((container) => container.name);
  throw badRequest(`a container name must be specified for pod ${podName}, choose one of: [${choices.join(" ")}]`);
}

type LogOptions = Omit<PodLogRequest, "pod" | "container" | "signal">;

/** What of the logs is asked for. Throws a 400 or a 422. */
function parseLogOptions({ info: { query, name: podName } }: ResourceCall): LogOptions {
  const numbers = ["sinceSeconds", "tailLines", "limitBytes"].flatMap((name) => {
    const text = query.get(name) ?? "";
    return text === "" ? [] : [[name, parseInteger(text)] as const];
  });
  const sinceTime = query.get("sinceTime") ?? "";
  if (sinceTime !== "") parseTime(sinceTime);
  const isTwice = sinceTime !== "" && numbers.some(([name]) => name === "sinceSeconds");
  const twice = fieldForbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified");
  const errors = [...(isTwice ? [twice] : []), ...numbers.flatMap(([name, value]) => validateNumber(name, value))];
  if (errors.length > 0) throw invalidError({ group: "", kind: "PodLogOptions", name: podName }, errors);
  return {
    follow: isQueryTrue(query, "follow"),
    previous: isQueryTrue(query, "previous"),
    timestamps: isQueryTrue(query, "timestamps"),
    ...Object.fromEntries(numbers),
    ...(sinceTime === "" ? {} : { sinceTime }),
  };
}

function parseInteger(text: string): number {
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function validateNumber(name: string, value: number): FieldError[] {
  const min = name === "tailLines" ? 0 : 1;
  if (value >= min) return [];
  return [fieldInvalid(name, value, min === 0 ? "must be greater than or equal to 0" : "must be greater than 0")];
}

function plainAnswer(status: number, body: ApiResponse["body"]): ApiResponse {
  return { status, headers: { "content-type": "text/plain" }, body };
}
