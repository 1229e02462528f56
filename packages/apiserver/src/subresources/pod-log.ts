/**
 * `pods/log`: what a container printed. Which container is meant is found here; the text itself comes from whoever runs
 * the pods, through `PodHooks`. A pod that runs nowhere has printed nothing.
 */
import type { Pod } from "@kubewright/api/core/v1";
import {
  badRequest,
  type FieldError,
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
    const pod = requirePod(call);
    const request = parseLogRequest(call, pod);
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
  const choices = containers.map((container) => container.name).join(" ");
  const inits = initContainers.map((container) => container.name).join(" ");
  const others = inits === "" ? "" : ` or one of the init containers: [${inits}]`;
  throw badRequest(`a container name must be specified for pod ${podName}, choose one of: [${choices}]${others}`);
}

function parseLogRequest({ info, request }: ResourceCall, pod: Pod): PodLogRequest {
  const { query } = info;
  const numbers = ["sinceSeconds", "tailLines", "limitBytes"].map((name) => [name, query.get(name)] as const);
  const errors = numbers.flatMap(([name, text]) => (text === null ? [] : validateNumber(name, Number(text))));
  if (errors.length > 0) throw invalidError({ group: "", kind: "PodLogOptions", name: info.name }, errors);
  const given = numbers.filter(([, text]) => text !== null).map(([name, text]) => [name, Number(text)]);
  const sinceTime = query.get("sinceTime");
  return {
    pod,
    container: requireContainer(pod, query.get("container") ?? ""),
    follow: isQueryTrue(query, "follow"),
    previous: isQueryTrue(query, "previous"),
    timestamps: isQueryTrue(query, "timestamps"),
    ...Object.fromEntries(given),
    ...(sinceTime === null ? {} : { sinceTime }),
    signal: request.signal,
  };
}

function validateNumber(name: string, value: number): FieldError[] {
  const min = name === "tailLines" ? 0 : 1;
  if (value >= min) return [];
  return [fieldInvalid(name, value, min === 0 ? "must be greater than or equal to 0" : "must be greater than 0")];
}

function plainAnswer(status: number, body: ApiResponse["body"]): ApiResponse {
  return { status, headers: { "content-type": "text/plain" }, body };
}
