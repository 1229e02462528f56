/** Bodies of subresources whose kind is not that of the resource: a Binding, an Eviction, a Scale. */
import { apiVersionOf, type GroupVersionKind } from "@kubewright/core/meta";
import type { ResourceCall } from "../endpoints/call.ts";
import { decodeBody } from "../endpoints/decode.ts";
import { parseBody } from "../endpoints/parse-body.ts";
import type { ApiRequest } from "../request/request.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

const bodyResources = new WeakMap<ServedResource, Map<string, ServedResource>>();

/** The object in the body, of `kind` in its version or one of the `others`, which are alike; in the place of the URL. */
export async function decodeAs(
  call: ResourceCall,
  kind: GroupVersionKind,
  others: readonly string[] = [],
): Promise<ApiObject> {
  const request = others.length === 0 ? call.request : await inVersion(call.request, kind, others);
  return (await decodeBody({ ...call, request, resource: bodyResource(call.resource, kind) })).object;
}

/** The request with a body in the version of `kind` where it is in one of the `others`. */
async function inVersion(request: ApiRequest, kind: GroupVersionKind, others: readonly string[]): Promise<ApiRequest> {
  const { value } = await parseBody(request, kind);
  const isOther = others.includes(String(value["apiVersion"]));
  return isOther ? { ...request, given: { ...value, apiVersion: apiVersionOf(kind) } } : request;
}

/** The resource as if it were of the body's kind; the same at every call, so that its shape is made once. */
function bodyResource(resource: ServedResource, kind: GroupVersionKind): ServedResource {
  const known = bodyResources.get(resource) ?? new Map<string, ServedResource>();
  bodyResources.set(resource, known);
  const existing = known.get(kind.kind);
  if (existing !== undefined) return existing;
  const made = { ...resource, strategy: {}, custom: false, definition: { ...resource.definition, ...kind } };
  known.set(kind.kind, made);
  return made;
}
