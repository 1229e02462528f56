/**
 * Faults at the server's edge, for tests of its clients: whatever a network, an overloaded or a lagging server may do to a request
 * that is otherwise served as ever. `ApiServerOptions.faults` is asked about every request; serve.ts carries out what it says.
 */
import { type Clock, sleep } from "@kubewright/core/ports";
import { apiError } from "@kubewright/core/protocol";
import type { EndpointBackend } from "../endpoints/call.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import { staleView } from "../storage/stale-view.ts";
import { endAfter, release } from "./cut-watch.ts";

/** Something that goes wrong with one request. */
export type Fault =
  /** The connection breaks before the request is served. */
  | { readonly kind: "lose-request" }
  /** The request is served, and what it wrote is stored; the connection breaks before its answer. */
  | { readonly kind: "lose-answer" }
  /** The request is served so much later. */
  | { readonly kind: "delay-request"; readonly delayMs: number }
  /** The request is served at once and answered so much later. */
  | { readonly kind: "delay-answer"; readonly delayMs: number }
  /** The request is refused, as by a server that has too much to do or is about to stop. */
  | { readonly kind: "refuse"; readonly code: 429 | 500 | 503 | 504; readonly retryAfterSeconds?: number }
  /** A get or list is answered from the state right after this revision, as by a replica that lags. */
  | { readonly kind: "stale-view"; readonly revision: number }
  /** A watch ends after so many events; "broken" is a connection that breaks, "ended" a server that hangs up. */
  | { readonly kind: "close-watch"; readonly afterEvents: number; readonly as: "ended" | "broken" }
  /** Before the request is served, all history is forgotten: a watch from an older version gets a 410. */
  | { readonly kind: "compact" };

/** What is known of a request when its faults are chosen. All about resources is "" when it is for another path. */
export interface FaultedRequest {
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The name of its user. */
  readonly user: string;
  /** The revision of the server's last write. */
  readonly revision: number;
}

/** Says what goes wrong with a request; an empty list is nothing. Called once per request that may be served. */
export type ChooseFaults = (request: FaultedRequest) => readonly Fault[];

/** Serves an admitted request. */
export type ServeAdmitted = (request: ApiRequest, backend: EndpointBackend) => ApiResponse | Promise<ApiResponse>;

/** An answer that never arrives. */
const LOST: ApiResponse = { status: 0, headers: {}, body: "", isLost: true };

/** Serves requests with the faults that `choose` says. */
export function withFaults(serve: ServeAdmitted, choose: ChooseFaults): ServeAdmitted {
  return async (request, backend) => {
    const faults = choose(describe(request, backend));
    const find = <Kind extends Fault["kind"]>(kind: Kind): Extract<Fault, { readonly kind: Kind }> | undefined =>
      faults.find((fault): fault is Extract<Fault, { readonly kind: Kind }> => fault.kind === kind);
    await delay(backend.clock, find("delay-request")?.delayMs, request);
    if (find("lose-request") !== undefined) return LOST;
    const refusal = find("refuse");
    if (refusal !== undefined) throw refused(refusal);
    if (find("compact") !== undefined) backend.storage.compact(backend.storage.revision);
    const response = await serve(request, viewed(request, backend, find("stale-view")?.revision));
    await delay(backend.clock, find("delay-answer")?.delayMs, request);
    if (find("lose-answer") !== undefined) {
      await release(response.body);
      return LOST;
    }
    const closing = find("close-watch");
    return closing === undefined || request.info.verb !== "watch" ? response : endAfter(response, closing);
  };
}

const NO_RESOURCE = { group: "", resource: "", subresource: "", namespace: "", name: "" };

function describe({ info, user }: ApiRequest, { storage }: EndpointBackend): FaultedRequest {
  const { verb = "", path } = info;
  const { group, resource, subresource, namespace, name } = info.isResource ? info : NO_RESOURCE;
  return { verb, path, group, resource, subresource, namespace, name, user: user.name, revision: storage.revision };
}

async function delay(clock: Clock, delayMs: number | undefined, { signal }: ApiRequest): Promise<void> {
  if (delayMs !== undefined) await sleep(clock, delayMs, signal);
}

function viewed({ info }: ApiRequest, backend: EndpointBackend, revision: number | undefined): EndpointBackend {
  const isRead = info.verb === "get" || info.verb === "list";
  return revision === undefined || !isRead ? backend : { ...backend, storage: staleView(backend.storage, revision) };
}

const REFUSALS = {
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  500: ["InternalError", "Internal error occurred: a fault was asked for"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: ["Timeout", "Timeout: request did not complete within the allotted time"],
} as const;

function refused({ code, retryAfterSeconds }: Extract<Fault, { readonly kind: "refuse" }>): Error {
  const [reason, message] = REFUSALS[code];
  return apiError(code, reason, message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}
