/**
 * `/openapi/v3` and its documents, and `/openapi/v2`. Nothing is loaded or made before the first request; a group's documents are
 * made again only when its resources change. Clients keep documents by their hash, for ever.
 */
import { stringifyJson } from "@kubewright/core/meta";
import { JSON_MEDIA_TYPE, negotiate } from "@kubewright/core/protocol";
import { type ServedVersion, servedGroups } from "../discovery/served-groups.ts";
import type { Backend } from "../registry/backend.ts";
import type { Registry } from "../registry/registry.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { OpenApiDocument } from "./document.ts";

type OpenApiEndpoint = (request: ApiRequest, backend: Backend) => Promise<ApiResponse | undefined>;

const INDEX_PATH = "/openapi/v3";
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** The endpoints of OpenAPI for one server, by path. */
export function createOpenApiPaths(): ReadonlyMap<string, OpenApiEndpoint> {
  const cache = new DocumentCache();
  return new Map([
    [INDEX_PATH, (request, backend) => serveVersion3(request, backend, cache)],
    ["/openapi/v2", (request, backend) => serveVersion2(request, backend, cache)],
  ]);
}

async function serveVersion3(
  request: ApiRequest,
  { registry, clock }: Backend,
  cache: DocumentCache,
): Promise<ApiResponse | undefined> {
  const path = request.info.path.slice(INDEX_PATH.length).replace(/^\/|\/$/g, "");
  if (path === "") return serveIndex(registry, cache);
  const version = cache.versions(registry).get(path);
  if (version === undefined) return { status: 404, headers: {}, body: "" };
  if (!acceptsJson(request)) return { status: 406, headers: { vary: "Accept" }, body: "" };
  const document = await cache.document(version);
  return respond(request, document, { path: `${INDEX_PATH}/${path}`, nowMs: clock.now() });
}

async function serveIndex(registry: Registry, cache: DocumentCache): Promise<ApiResponse> {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const [path, version] of cache.versions(registry)) {
    const { hash } = await cache.document(version);
    paths[path] = { serverRelativeURL: `${INDEX_PATH}/${path}?hash=${hash}` };
  }
  return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: stringifyJson({ paths }) };
}

async function serveVersion2(
  request: ApiRequest,
  { registry, clock }: Backend,
  cache: DocumentCache,
): Promise<ApiResponse | undefined> {
  if (request.info.path !== "/openapi/v2") return undefined;
  if (!acceptsJson(request)) return { status: 406, headers: { vary: "Accept" }, body: "" };
  return respond(request, await cache.swagger(registry), { path: "/openapi/v2", nowMs: clock.now() });
}

/** Only JSON is on offer; kubectl asks for nothing else. */
function acceptsJson({ headers }: ApiRequest): boolean {
  return negotiate(headers["accept"], { mediaTypes: [JSON_MEDIA_TYPE] }) !== undefined;
}

function respond(
  request: ApiRequest,
  { text, hash }: OpenApiDocument,
  { path, nowMs }: { readonly path: string; readonly nowMs: number },
): ApiResponse {
  const headers = { "content-type": "application/json", etag: `"${hash}"`, vary: "Accept" };
  const asked = request.info.query.get("hash");
  if (asked !== null && asked !== hash) {
    return { status: 301, headers: { ...headers, location: `${path}?hash=${hash}` }, body: "" };
  }
  if (request.headers["if-none-match"] === headers.etag) return { status: 304, headers, body: "" };
  if (asked === null) return { status: 200, headers, body: text };
  const expires = new Date(nowMs + YEAR_MS).toUTCString().replace("GMT", "UTC");
  return { status: 200, headers: { ...headers, "cache-control": "public, immutable", expires }, body: text };
}

/** Documents of what is served now. */
class DocumentCache {
  #registryVersion = -1;
  #versions: ReadonlyMap<string, ServedVersion> = new Map();
  /** By the resources that a document was made of: equal resources give equal documents. */
  #documents = new Map<string, { resources: readonly ServedResource[]; document: Promise<OpenApiDocument> }>();
  #swagger: Promise<OpenApiDocument> | undefined;

  /** The versions that are served, by the paths of their documents. */
  versions(registry: Registry): ReadonlyMap<string, ServedVersion> {
    if (this.#registryVersion === registry.version) return this.#versions;
    const versions = servedGroups(registry).flatMap((group) => group.versions);
    this.#versions = new Map(versions.map((version) => [pathOf(version), version]));
    this.#registryVersion = registry.version;
    this.#swagger = undefined;
    for (const path of this.#documents.keys()) if (!this.#versions.has(path)) this.#documents.delete(path);
    return this.#versions;
  }

  document(version: ServedVersion): Promise<OpenApiDocument> {
    const path = pathOf(version);
    const { resources } = version;
    const known = this.#documents.get(path);
    if (known !== undefined && isSame(known.resources, resources)) return known.document;
    const document = import("./document.ts").then(({ openApiDocument }) => openApiDocument(version));
    this.#documents.set(path, { resources, document });
    return document;
  }

  swagger(registry: Registry): Promise<OpenApiDocument> {
    const versions = [...this.versions(registry).values()];
    this.#swagger ??= import("./swagger.ts").then(({ swaggerDocument }) => swaggerDocument(versions));
    return this.#swagger;
  }
}

function isSame(left: readonly ServedResource[], right: readonly ServedResource[]): boolean {
  return left.length === right.length && left.every((resource, index) => resource === right[index]);
}

function pathOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}
