/**
 * `pods/proxy` and `services/proxy`: HTTP requests to a port of a pod, through the API server. `[scheme:]name[:port]` says which; a
 * service leads to one of its pods. What listens on the port comes from whoever runs the pods, through `PodHooks`.
 */
import type { Endpoints, Pod, Service } from "@kubewright/api/core/v1";
import { apiError, badRequest, notFound } from "@kubewright/core/protocol";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import type { ApiResponse } from "../request/request.ts";
import type { PodHooks, PodPortRequest } from "./pod-hooks.ts";
import { exchangeOver } from "./proxy-transport.ts";

/** Finds the port that a call means. */
type FindPort = (call: ResourceCall) => PodPortRequest;

/** Makes the endpoint that serves every verb of one kind of proxy. */
export function proxyEndpoint(kind: "pods" | "services", { openPort }: PodHooks): Endpoint {
  const findPort: FindPort = kind === "pods" ? portOfPod : portOfService;
  return async (call) => {
    if (needsSlash(call)) return redirectToSlash(call);
    const target = findPort(call);
    const reach = openPort ?? (() => Promise.reject(new Error("connection refused")));
    try {
      return await exchangeOver(await reach(target), call);
    } catch (error) {
      throw unavailable(`error trying to reach service: ${error instanceof Error ? error.message : error}`);
    }
  };
}

/** Relative links of what is proxied would lead elsewhere without it. */
function needsSlash({ request, info }: ResourceCall): boolean {
  return request.method === "GET" && info.rest.length === 0 && !info.path.endsWith("/");
}

function redirectToSlash({ info }: ResourceCall): ApiResponse {
  const query = info.query.size === 0 ? "" : `?${info.query}`;
  return { status: 301, headers: { location: `${info.path}/${query}` }, body: "" };
}

/** `[scheme:]name[:port]`; undefined for anything else. */
function splitName(id: string): { readonly name: string; readonly port: string } | undefined {
  const parts = id.split(":");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length > 3) return undefined;
  const [name, port] = parts.length === 3 ? [second, third] : [first, second];
  return name === "" ? undefined : { name, port };
}

/** Without a port, the first that a container names. */
function portOfPod({ info, resource, backend }: ResourceCall): PodPortRequest {
  const { name, port } = splitName(info.name) ?? refuse(`invalid pod request ${JSON.stringify(info.name)}`);
  const pod = backend.reader.get("pods", info.namespace, name) as unknown as Pod | undefined;
  if (pod === undefined) throw notFound(resource.definition, name);
  if ((pod.status?.podIP ?? "") === "") throw badRequest("address not allowed");
  const declared = pod.spec?.containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
  return { pod, port: port === "" ? (declared ?? 80) : Number(port) };
}

/** A port of the service by its name or number, on a pod that is ready. */
function portOfService(call: ResourceCall): PodPortRequest {
  const { info, backend } = call;
  const { name, port } = splitName(info.name) ?? refuse(`invalid service request ${JSON.stringify(info.name)}`);
  const portName = /^\d+$/.test(port) ? nameOfPort(call, name, Number(port)) : port;
  const endpoints = backend.reader.get("endpoints", info.namespace, name) as unknown as Endpoints | undefined;
  if (endpoints === undefined) throw notFound({ group: "", plural: "endpoints" }, name);
  for (const { ports = [], addresses = [] } of endpoints.subsets ?? []) {
    const number = ports.find((each) => (each.name ?? "") === portName)?.port;
    const pods = addresses.flatMap(({ targetRef }) => (targetRef?.kind === "Pod" ? [targetRef.name ?? ""] : []));
    const pod = pods.map((each) => backend.reader.get("pods", info.namespace, each)).find((each) => each !== undefined);
    if (number !== undefined && pod !== undefined) return { pod: pod as unknown as Pod, port: number };
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

function nameOfPort({ info, resource, backend }: ResourceCall, name: string, port: number): string {
  const service = backend.reader.get("services", info.namespace, name) as unknown as Service | undefined;
  if (service === undefined) throw notFound(resource.definition, name);
  const found = service.spec?.ports?.find((each) => each.port === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return found.name ?? "";
}

function unavailable(message: string): Error {
  return apiError(503, "ServiceUnavailable", message);
}

function refuse(message: string): never {
  throw badRequest(message);
}
