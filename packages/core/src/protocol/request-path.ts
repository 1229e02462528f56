/**
 * Request paths ↔ what a request is about. Servers parse the path of a request (its verb decides routing and
 * authorization); clients build paths from a resource definition. The grammar is that of kube-apiserver's RequestInfo.
 */
import { parseFieldSelector, requiredFieldValue } from "../meta/field-selector.ts";
import { isMalformed, malformed } from "../meta/malformed.ts";
import { validatePathSegment } from "../meta/names.ts";
import type { PathTarget, RequestTarget } from "../ports/transport.ts";

/** What a request asks, as authorization rules name it. */
export type RequestVerb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | "proxy";

/** A request about objects of a resource. */
export interface ResourceRequest {
  readonly isResource: true;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined for a method that resources do not have (OPTIONS). */
  readonly verb: RequestVerb | undefined;
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** "" for all namespaces and for cluster-scoped resources; a namespace's own name for requests about it. */
  readonly namespace: string;
  /** Plural: "deployments". */
  readonly resource: string;
  /** "" for a collection, unless its field selector asks for one name. */
  readonly name: string;
  /** "" or "status", "scale", "log" … */
  readonly subresource: string;
  /** What follows the subresource: the rest of a proxied path. */
  readonly rest: readonly string[];
  /** True for the deprecated `/watch/` paths, which take no selectors for one object. */
  readonly isWatchPath: boolean;
}

/** Any other request: discovery, health, OpenAPI … */
export interface OtherRequest {
  readonly isResource: false;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The method in lower case. */
  readonly verb: string;
}

/** What a request is about. */
export type RequestInfo = ResourceRequest | OtherRequest;

/** Reads method and path (query included). Throws `MalformedError` for a path that cannot be decoded. */
export function parseRequest(method: string, pathAndQuery: string): RequestInfo {
  const known = method === "POST" ? parsedCreates.get(pathAndQuery) : undefined;
  if (known !== undefined) return known;
  const info = parseAny(method, pathAndQuery);
  const isCommon = method === "POST" && info.isResource && info.name === "";
  if (isCommon && pathAndQuery.length <= QUERY_LENGTH_MAX && parsedCreates.size < QUERIES_MAX) {
    parsedCreates.set(pathAndQuery, info);
  }
  return info;
}

/** New objects of a kind are sent to the same few paths. */
const parsedCreates = new Map<string, RequestInfo>();

function parseAny(method: string, pathAndQuery: string): RequestInfo {
  const [rawPath = "", rawQuery = ""] = cutOnce(pathAndQuery, "?");
  const path = decodePath(rawPath);
  const query = parseQuery(rawQuery);
  const prefix = parsePrefix(splitPath(path));
  if (prefix === undefined) return { isResource: false, path, query, verb: method.toLowerCase() };
  const isWatchPath = prefix.parts[0] === "watch";
  const isProxyPath = prefix.parts[0] === "proxy";
  const parts = isWatchPath || isProxyPath ? prefix.parts.slice(1) : prefix.parts;
  if (parts.length === 0) throw malformed(`unable to determine kind and namespace from url, ${pathAndQuery}`);
  const target = parseTarget(parts, isProxyPath);
  const { namespace, resource, subresource, rest } = target;
  const { group, version } = prefix;
  const methodVerb = isWatchPath ? "watch" : isProxyPath ? "proxy" : METHOD_VERBS.get(method);
  const { verb, name } = refineVerb(methodVerb, target, query);
  return {
    isResource: true,
    path,
    query,
    verb,
    group,
    version,
    namespace,
    resource,
    name,
    subresource,
    rest,
    isWatchPath,
  };
}

/** What `parseRequest` would find in the path, known from what it was made of. */
export function requestTo(method: string, target: RequestTarget): RequestInfo {
  const { group, version, plural: resource, namespace = "", name: ofPath = "", subresource = "" } = target;
  if (subresource.includes("/")) return parseRequest(method, target.of); // As below the proxy of a pod.
  const query = parseQuery(target.query);
  const { verb, name } = refineVerb(METHOD_VERBS.get(method), { name: ofPath }, query);
  return {
    isResource: true,
    path: isPlain(ofPath) && isPlain(namespace) ? target.path : decodePath(target.path),
    query,
    verb,
    group,
    version,
    namespace: namespace === "" && resource === "namespaces" ? ofPath : namespace,
    resource,
    name,
    subresource,
    rest: NOTHING,
    isWatchPath: false,
  };
}

const NOTHING: readonly string[] = [];

/** Whether a path carries the text as it is. The parts of a path are short; a path would have to be put together to be looked at. */
function isPlain(text: string): boolean {
  return /^[\w.-]*$/.test(text);
}

/** The path of a collection, an object or a subresource. Throws `MalformedError` for a name that no path can carry. */
export function formatRequestPath(target: PathTarget): string {
  const { group, version, plural, namespace = "", name, subresource } = target;
  const root = group === "" ? `/api/${version}` : `/apis/${segment(group)}/${version}`;
  const scope = namespace === "" ? "" : `/namespaces/${segment(namespace)}`;
  const object = name === undefined ? "" : `/${segment(name)}`;
  return `${root}${scope}/${plural}${object}${subresource === undefined ? "" : `/${subresource}`}`;
}

const METHOD_VERBS: ReadonlyMap<string, RequestVerb> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** The subresources of namespaces: `/namespaces/a/status` is not a collection named "status". */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

function parsePrefix(parts: readonly string[]) {
  const [prefix, second = "", third = ""] = parts;
  if (prefix === "api" && parts.length >= 3) return { group: "", version: second, parts: parts.slice(2) };
  if (prefix === "apis" && parts.length >= 4) return { group: second, version: third, parts: parts.slice(3) };
  return undefined;
}

function parseTarget(parts: readonly string[], isProxyPath: boolean) {
  const inNamespace = parts[0] === "namespaces" && parts.length > 1;
  const namespace = inNamespace ? (parts[1] ?? "") : "";
  const isNamespaced = inNamespace && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? "");
  const first = isNamespaced ? 2 : 0;
  const below = first + (isProxyPath ? 2 : 3);
  return {
    namespace,
    resource: parts[first] ?? "",
    name: parts[first + 1] ?? "",
    subresource: isProxyPath ? "" : (parts[first + 2] ?? ""),
    rest: parts.length > below ? parts.slice(below) : [],
  };
}

/** GET and DELETE of a collection have verbs of their own; a selected name counts as the name. */
function refineVerb(verb: RequestVerb | undefined, { name }: { readonly name: string }, query: URLSearchParams) {
  if (name !== "") return { verb, name };
  if (verb === "delete") return { verb: "deletecollection" as const, name };
  if (verb !== "get") return { verb, name };
  return { verb: isQueryTrue(query, "watch") ? ("watch" as const) : ("list" as const), name: selectedName(query) };
}

/** True unless the parameter is absent, "0" or "false": the rule of Kubernetes for booleans in queries. */
export function isQueryTrue(query: URLSearchParams, parameter: string): boolean {
  const value = query.get(parameter);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

function selectedName(query: URLSearchParams): string {
  try {
    const name = requiredFieldValue(parseFieldSelector(query.get("fieldSelector") ?? ""), "metadata.name") ?? "";
    return validatePathSegment(name).length === 0 ? name : "";
  } catch (error) {
    if (isMalformed(error)) return ""; // Whoever serves the list refuses the selector; here it only selects no name.
    throw error;
  }
}

/** Clients send the same few queries again and again; nobody changes a parsed one. */
const parsedQueries = new Map<string, URLSearchParams>();
const QUERIES_MAX = 200;
const QUERY_LENGTH_MAX = 200;

function parseQuery(text: string): URLSearchParams {
  const known = parsedQueries.get(text);
  if (known !== undefined) return known;
  const query = new URLSearchParams(text);
  if (text.length <= QUERY_LENGTH_MAX && parsedQueries.size < QUERIES_MAX) parsedQueries.set(text, query);
  return query;
}

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw malformed(`invalid URL escape in path ${JSON.stringify(path)}`, { cause: error });
  }
}

function splitPath(path: string): readonly string[] {
  const start = path.startsWith("/") ? 1 : 0;
  const isTrimmed = path.length > start && path[start] !== "/" && !path.endsWith("/");
  const trimmed = isTrimmed ? path.slice(start) : path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? [] : trimmed.split("/");
}

function cutOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** One escaped segment. An empty name would turn a request about one object into one about all of them. */
function segment(name: string): string {
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) return name; // As most names are.
  const errors = name === "" ? ["may not be empty"] : validatePathSegment(name);
  if (errors.length > 0)
    throw malformed(`${JSON.stringify(name)} cannot stand in a request path: ${errors.join("; ")}`);
  return encodeURIComponent(name).replaceAll("%3A", ":");
}
