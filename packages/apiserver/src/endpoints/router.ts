/**
 * From a request about a resource to the endpoint that serves it. Special endpoints (reviews, evictions, tokens …) come
 * first, by verb and resource; everything else is served the common way.
 */
import { apiError, methodNotAllowed, notFound } from "@kubewright/core/protocol";
import { plainText } from "../request/plain-text.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { Endpoint, EndpointBackend, ResourceCall } from "./call.ts";
import { handleCreate } from "./create.ts";
import { handleDelete } from "./delete.ts";
import { handleDeleteCollection } from "./delete-collection.ts";
import { handleGet } from "./get.ts";
import { handleList } from "./list.ts";
import { handlePatch } from "./patch.ts";
import { handleUpdate } from "./update.ts";
import { handleWatch } from "./watch.ts";

const OBJECT_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ["get", handleGet],
  ["update", handleUpdate],
  ["patch", handlePatch],
]);

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ...OBJECT_ENDPOINTS,
  ["list", handleList],
  ["watch", handleWatch],
  ["create", handleCreate],
  ["delete", handleDelete],
  ["deletecollection", handleDeleteCollection],
]);

/** Serves a request about a resource. Throws at once what needs no endpoint to be refused. */
export function serveResource(request: ApiRequest, backend: EndpointBackend): ApiResponse | Promise<ApiResponse> {
  const { info } = request;
  const resource = info.isResource ? backend.registry.find(info.group, info.version, info.resource) : undefined;
  if (!info.isResource || resource === undefined) return nothingThere(request, backend);
  if (request.method === "HEAD" || (info.isWatchPath && request.method !== "GET")) throw methodNotAllowed();
  const call = { request, info, resource, backend };
  if (resource.deprecation !== undefined) request.warnings.add(resource.deprecation);
  const endpoint = findEndpoint(call);
  if (endpoint !== undefined) return endpoint(call);
  if (resource.custom) throw notFound(resource.definition, info.name);
  return nothingThere(request, backend);
}

/** Groups that are served say what is missing in JSON, all other paths in plain text. */
function nothingThere({ info }: ApiRequest, { registry }: EndpointBackend): ApiResponse {
  if (info.isResource && registry.hasGroupVersion(info.group, info.version)) {
    throw apiError(404, "NotFound", "the server could not find the requested resource", {});
  }
  return plainText(404, "404 page not found\n");
}

/** Undefined for a subresource that is not there. Throws a 405 for verbs that the resource does not have. */
function findEndpoint({ info, resource, backend }: ResourceCall): Endpoint | undefined {
  const { verb = "", subresource } = info;
  const { specialEndpoints } = backend;
  if (subresource !== "") {
    const own = specialEndpoints.get(`${verb} ${resource.storageName}/${subresource}`);
    const special = own ?? specialEndpoints.get(`${verb} */${subresource}`);
    return subresourceEndpoint(resource, { verb, subresource, special });
  }
  const special = specialEndpoints.get(`${verb} ${resource.storageName}`);
  requireVerb(resource, verb, info.name !== "");
  if (special !== undefined) return special;
  requirePlace(resource, { verb, namespace: info.namespace });
  return ENDPOINTS.get(verb);
}

function subresourceEndpoint(
  resource: ServedResource,
  {
    verb,
    subresource,
    special,
  }: { readonly verb: string; readonly subresource: string; readonly special: Endpoint | undefined },
): Endpoint | undefined {
  const served = resource.subresources.find(({ name }) => name === subresource);
  if (served === undefined) return undefined;
  if (!(served.verbs as readonly string[]).includes(verb)) throw methodNotAllowed();
  return special ?? (subresource === "status" ? OBJECT_ENDPOINTS.get(verb) : undefined);
}

/** POST has no name, and every verb must be one that discovery tells. */
function requireVerb(resource: ServedResource, verb: string, hasName: boolean): void {
  if (verb === "create" && hasName) throw methodNotAllowed();
  if ((verb === "update" || verb === "patch") && !hasName) throw methodNotAllowed();
  if (!(resource.verbs as readonly string[]).includes(verb)) throw methodNotAllowed();
}

/** Objects in namespaces are only listed and watched across them. */
function requirePlace(
  { definition }: ServedResource,
  { verb, namespace }: { readonly verb: string; readonly namespace: string },
): void {
  const needsNamespace = definition.scope === "Namespaced" && verb !== "list" && verb !== "watch";
  if (needsNamespace && namespace === "") throw methodNotAllowed();
}
