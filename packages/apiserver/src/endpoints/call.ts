/**
 * One request about a resource on its way through an endpoint. The router makes it once it knows the resource; every
 * endpoint (a file per verb) takes it and returns the answer.
 */
import type { ResourceRequest } from "@kubewright/core/protocol";
import { type Authorize, attributesOf, requireAllowed } from "../auth/authorization.ts";
import type { TablePrinter } from "../printing/print-request.ts";
import type { Backend } from "../registry/backend.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { EventFrames } from "./watch-frames.ts";

/** What endpoints work with. */
export interface EndpointBackend extends Backend {
  /** Asked again by requests that turn out to need more than their verb says. */
  readonly authorize: Authorize;
  readonly printTable: TablePrinter;
  readonly specialEndpoints: SpecialEndpoints;
  /** Shared work on the event that is being told. */
  readonly frames: EventFrames;
}

/** A request about a served resource. */
export interface ResourceCall {
  readonly request: ApiRequest;
  readonly info: ResourceRequest;
  readonly resource: ServedResource;
  readonly backend: EndpointBackend;
}

/** Endpoints of their own, by verb and resource: "create pods/eviction", "create tokenreviews.authentication.k8s.io". */
export type SpecialEndpoints = ReadonlyMap<string, Endpoint>;

/** Serves one verb. */
export type Endpoint = (call: ResourceCall) => Promise<ApiResponse>;

/** Throws the 403 unless the user of an update or a patch that creates its object may create it. */
export function requireMayCreate({ request, info, backend }: ResourceCall): void {
  const attributes = attributesOf(request.user, { ...info, verb: "create" });
  requireAllowed(backend.authorize(attributes), attributes);
}
