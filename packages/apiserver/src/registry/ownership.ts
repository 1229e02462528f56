/**
 * Who owns which field after a write: `metadata.managedFields`, kept by the functions of core/patch. Create and update
 * track every write with it; apply settles ownership itself.
 */
import { apiVersionOf } from "@kubewright/core/meta";
import { type OwnershipOptions, trackFieldOwnership } from "@kubewright/core/patch";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { WriteRequest } from "./write-request.ts";

/** The object about to be stored, with the owners of its fields. */
export function trackOwnership(
  write: WriteRequest,
  { before, after }: { readonly before?: ApiObject; readonly after: ApiObject },
  time: string,
): ApiObject {
  if (write.ownership === "settled") return after;
  return trackFieldOwnership({ ...ownershipOptions(write, time), before, after }) as ApiObject;
}

/** What core/patch needs to know of a write. */
export function ownershipOptions(
  { resource, subresource, fieldManager, shape }: WriteRequest,
  time: string,
): OwnershipOptions {
  return {
    apiVersion: apiVersionOf(resource.definition),
    manager: fieldManager,
    schema: shape.schema,
    now: time,
    subresource,
    resetFields: resetFieldsOf(resource, subresource),
    ...(shape.converter === undefined ? {} : { converter: shape.converter }),
  };
}

/** The fields that an endpoint leaves alone: the main one the status, the status one everything else. */
function resetFieldsOf(
  { strategy, custom, subresources }: ServedResource,
  subresource: string,
): readonly (readonly string[])[] {
  const own = strategy.resetFields?.[subresource];
  if (own !== undefined) return own;
  if (subresource === "status") return custom ? [["spec"], ["metadata"]] : [["spec"]];
  return subresources.some(({ name }) => name === "status") ? [["status"]] : [];
}
