/**
 * The paths of discovery: `/api`, `/apis` and what is below them. Documents are made when first asked for and kept
 * until the registry changes, so a CRD's resources are discovered in the moment they are served.
 */
import { createHash } from "node:crypto";
import { type JsonObject, stringifyJson } from "@kubewright/core/meta";
import {
  apiError,
  JSON_MEDIA_TYPE,
  methodNotAllowed,
  type Negotiated,
  negotiate,
  notAcceptable,
  YAML_MEDIA_TYPE,
} from "@kubewright/core/protocol";
import { isPretty, MEDIA_TYPES_NAMED } from "../endpoints/representation.ts";
import { respondJson } from "../endpoints/respond.ts";
import type { Backend } from "../registry/backend.ts";
import type { Registry } from "../registry/registry.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import { aggregatedDocument } from "./aggregated-document.ts";
import { apiVersionsDocument, groupDocument, groupListDocument, resourceListDocument } from "./plain-documents.ts";
import { type ServedGroup, servedGroups } from "./served-groups.ts";

/** client-go knows an aggregated answer by exactly this text. */
const AGGREGATED_MEDIA_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

type DiscoveryEndpoint = (request: ApiRequest, backend: Backend) => Promise<ApiResponse | undefined>;

/** The endpoints of discovery for one server, by path. */
export function createDiscoveryPaths(): ReadonlyMap<string, DiscoveryEndpoint> {
  const discoveryOf = createCache();
  const endpoint: DiscoveryEndpoint = async (request, { registry }) => {
    if (request.method !== "GET") throw methodNotAllowed();
    const discovery = discoveryOf(registry);
    const [prefix = "", ...rest] = request.info.path.split("/").filter((segment) => segment !== "");
    return prefix === "api" ? serveCore(request, discovery, rest) : serveGroups(request, discovery, rest);
  };
  return new Map([
    ["/api", endpoint],
    ["/apis", endpoint],
  ]);
}

/** What is served now. */
interface Discovery {
  readonly core: ServedGroup;
  readonly groups: readonly ServedGroup[];
  /** Aggregated documents as text with their hash, by path. */
  readonly aggregated: Map<string, HashedText>;
}

interface HashedText {
  readonly text: string;
  readonly hash: string;
}

function createCache(): (registry: Registry) => Discovery {
  let latest: { readonly version: number; readonly discovery: Discovery } | undefined;
  return (registry) => {
    if (latest?.version !== registry.version) {
      const [core = { group: "", versions: [] }, ...groups] = servedGroups(registry);
      latest = { version: registry.version, discovery: { core, groups, aggregated: new Map() } };
    }
    return latest.discovery;
  };
}

async function serveCore(
  request: ApiRequest,
  discovery: Discovery,
  [version, ...rest]: readonly string[],
): Promise<ApiResponse | undefined> {
  const { core } = discovery;
  if (version !== undefined) return rest.length > 0 ? undefined : serveVersion(request, core, version);
  const address = request.headers["host"] ?? "localhost";
  return serveRoot(request, discovery, { path: "/api", groups: [core], plain: apiVersionsDocument(core, address) });
}

async function serveGroups(
  request: ApiRequest,
  discovery: Discovery,
  [name, version]: readonly string[],
): Promise<ApiResponse | undefined> {
  const { groups } = discovery;
  if (name === undefined) {
    return serveRoot(request, discovery, { path: "/apis", groups, plain: groupListDocument(groups) });
  }
  const group = groups.find((each) => each.group === name);
  if (group === undefined) return undefined;
  return version === undefined ? respondPlain(request, groupDocument(group)) : serveVersion(request, group, version);
}

async function serveVersion(request: ApiRequest, group: ServedGroup, version: string): Promise<ApiResponse> {
  const served = group.versions.find((each) => each.version === version);
  if (served === undefined) throw nothingThere();
  return respondPlain(request, resourceListDocument(served));
}

function nothingThere(): Error {
  return apiError(404, "NotFound", "the server could not find the requested resource", {});
}

interface RootDocuments {
  readonly path: string;
  readonly groups: readonly ServedGroup[];
  readonly plain: JsonObject;
}

/** The aggregated document for those who ask for it, the plain one for all others. */
async function serveRoot(
  request: ApiRequest,
  { aggregated }: Discovery,
  { path, groups, plain }: RootDocuments,
): Promise<ApiResponse> {
  const negotiated = negotiateDiscovery(request, true);
  if (negotiated.as === undefined) return respondAs(request, negotiated, plain);
  const document = aggregated.get(path) ?? hashed(aggregatedDocument(groups));
  aggregated.set(path, document);
  const etag = `"${document.hash}"`;
  const headers = { etag, vary: "Accept", "cache-control": "public" };
  if (request.headers["if-none-match"] === etag) return { status: 304, headers, body: "" };
  return { status: 200, headers: { ...headers, "content-type": AGGREGATED_MEDIA_TYPE }, body: document.text };
}

function hashed(document: JsonObject): HashedText {
  const text = stringifyJson(document);
  return { text, hash: createHash("sha512").update(text).digest("hex").toUpperCase() };
}

function respondPlain(request: ApiRequest, document: JsonObject): Promise<ApiResponse> {
  return respondAs(request, negotiateDiscovery(request, false), document);
}

function respondAs(request: ApiRequest, { mediaType, pretty }: Negotiated, document: JsonObject): Promise<ApiResponse> {
  const format = mediaType === YAML_MEDIA_TYPE ? "yaml" : "json";
  return respondJson(
    { format, pretty: pretty || isPretty(request.headers["user-agent"] ?? "", request.info.query) },
    200,
    document,
  );
}

function negotiateDiscovery({ headers }: ApiRequest, hasAggregated: boolean): Negotiated {
  const negotiated = negotiate(headers["accept"], {
    mediaTypes: [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE],
    transforms: ({ group, version, kind }, mediaType) =>
      hasAggregated &&
      mediaType === JSON_MEDIA_TYPE &&
      group === "apidiscovery.k8s.io" &&
      version === "v2" &&
      kind === "APIGroupDiscoveryList",
  });
  if (negotiated === undefined) throw notAcceptable(MEDIA_TYPES_NAMED);
  return negotiated;
}
