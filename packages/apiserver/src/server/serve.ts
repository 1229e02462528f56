/**
 * A request's way through the server: parse → authenticate → authorize → serve → answer. Both the in-process transport
 * and the sockets bring their requests here; what comes back is always an answer.
 */
import { isMalformed, type JsonObject } from "@kubewright/core/meta";
import { type Logger, type Random, randomUuid, type TransportRequest } from "@kubewright/core/ports";
import {
  type ApiError,
  badRequest,
  internalError,
  isApiError,
  JSON_MEDIA_TYPE,
  negotiate,
  parseRequest,
  type RequestInfo,
  requestTo,
  tooLarge,
  YAML_MEDIA_TYPE,
} from "@kubewright/core/protocol";
import { type Authenticate, type Authorize, attributesOf, requireAllowed } from "../auth/authorization.ts";
import type { EndpointBackend } from "../endpoints/call.ts";
import { isPretty } from "../endpoints/representation.ts";
import { respondJson } from "../endpoints/respond.ts";
import { serveResource } from "../endpoints/router.ts";
import { BODY_BYTES_MAX } from "../request/nesting.ts";
import { type ApiResponse, type Connection, type ParsedRequest, Warnings } from "../request/request.ts";
import { type ChooseFaults, type ServeAdmitted, withFaults } from "./faults.ts";
import { IN_FLIGHT_MAX, withLimit } from "./in-flight.ts";
import { type PathEndpoint, servePath } from "./path-endpoints.ts";

/** Answers a request that came over a connection; never rejects. */
export type Serve = (request: IncomingRequest, connection: Connection) => Promise<ApiResponse>;

/** A request as a transport brings it. */
export type IncomingRequest = Pick<
  ParsedRequest,
  "method" | "headers" | "body" | "given" | "givesValue" | "signal" | "takesValues"
> &
  Pick<TransportRequest, "path" | "target">;

/** What requests go through before and beside the endpoints. */
export interface ServeParts {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly paths: ReadonlyMap<string, PathEndpoint>;
  readonly backend: EndpointBackend;
  /** What goes wrong with requests. @default nothing */
  readonly faults?: ChooseFaults | undefined;
  /** How many requests of one user are served at once. @default 600 */
  readonly inFlightMax?: number | undefined;
}

/** Makes the function that answers requests. */
export function createServe(parts: ServeParts): Serve {
  const { authenticate, authorize, paths, backend, faults, inFlightMax = IN_FLIGHT_MAX } = parts;
  const serveAny: ServeAdmitted = (request, on) =>
    request.info.isResource ? serveResource(request, on) : servePath(paths, request, on);
  const serve = withLimit(faults === undefined ? serveAny : withFaults(serveAny, faults), inFlightMax);
  const nextAuditId = auditIds(backend.random);
  return async (incoming, connection) => {
    const auditId = incoming.headers["audit-id"] ?? nextAuditId();
    const warnings = new Warnings();
    try {
      const info = infoOf(incoming);
      const { method, headers, body, given, givesValue, signal, takesValues } = incoming;
      const found = authenticate({ headers, connection });
      const user = found instanceof Promise ? await found : found;
      // Written out: every request has one.
      const request = {
        method,
        headers,
        body,
        given,
        givesValue,
        signal,
        takesValues,
        connection,
        warnings,
        info,
        user,
      };
      const attributes = attributesOf(user, info);
      requireAllowed(authorize(attributes), attributes);
      return withCommonHeaders(await serve(request, backend), auditId, warnings);
    } catch (error) {
      return withCommonHeaders(await toErrorResponse(error, incoming, backend.log), auditId, warnings);
    }
  };
}

function infoOf({ method, body, path, target }: IncomingRequest): RequestInfo {
  if (body.byteLength > BODY_BYTES_MAX) throw tooLarge(`limit is ${BODY_BYTES_MAX}`);
  try {
    return target?.of === path ? requestTo(method, target) : parseRequest(method, path);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
}

/** Errors that are no refusals are bugs: they are logged, and clients learn only that something failed. */
async function toErrorResponse(error: unknown, incoming: IncomingRequest, log: Logger): Promise<ApiResponse> {
  const refusal = isApiError(error) ? error : isMalformed(error) ? badRequest(error.message) : bugError(error, log);
  const [, query = ""] = incoming.path.split("?", 2);
  const pretty = refusal.code === 406 || isPretty(incoming.headers["user-agent"] ?? "", new URLSearchParams(query));
  const retryAfter = refusal.status.details?.retryAfterSeconds;
  const format = negotiate(incoming.headers["accept"], { mediaTypes: [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE] })?.mediaType;
  const isYaml = format === YAML_MEDIA_TYPE;
  const answer = await respondJson({ format: isYaml ? "yaml" : "json", pretty }, refusal.code, {
    ...(refusal.status as unknown as JsonObject),
  });
  if (retryAfter === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "retry-after": String(retryAfter) } };
}

function bugError(error: unknown, log: Logger): ApiError {
  log.error("request failed", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return internalError(error instanceof Error ? error.message : String(error));
}

/** UUIDs of which only the end changes: each request needs one, and none needs to be a secret. */
function auditIds(random: Random): () => string {
  const start = randomUuid(random).slice(0, 24);
  let count = 0;
  return () => start + (++count).toString(16).padStart(12, "0");
}

function withCommonHeaders(response: ApiResponse, auditId: string, warnings: Warnings): ApiResponse {
  const headers: Record<string, string> = { "audit-id": auditId, "cache-control": "no-cache, private" };
  for (const name of Object.keys(response.headers)) headers[name] = response.headers[name] ?? "";
  if (!warnings.isEmpty) headers["warning"] = warnings.header;
  return { ...response, headers };
}
