/**
 * Who owns which field after a write: `metadata.managedFields`, kept by the functions of core/patch. Create and update
 * track every write with it; apply settles ownership itself.
 */
import { apiVersionOf } from "@kubewright/core/meta";
import { type OwnershipOptions, trackFieldOwnership } from "@kubewright/core/patch";
import { showsToOthers } from "../admission/admission.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { FieldOwners } from "../storage/storage.ts";
import type { Backend } from "./backend.ts";
import { DeferredOwners } from "./deferred-owners.ts";
import type { WriteRequest } from "./write-request.ts";

/** What a write begins with, and what a client made of it; owners apart, the objects do not tell them. */
export interface LeanChange {
  /** Undefined for a new object. */
  readonly before?: { readonly object: ApiObject; readonly owners: FieldOwners };
  readonly after: ApiObject;
}

/** Whether owners can be worked out later: nothing between here and the storage looks at managedFields. */
export function mayDeferOwners({ storage, admission }: Backend, write: WriteRequest): boolean {
  if (!storage.holdsValues || write.dryRun || write.ownership === "settled" || write.seesOwners === true) {
    return false;
  }
  return write.shape.converter === undefined && !showsToOthers(admission);
}

/** The owners after a write, worked out when somebody asks. */
export function deferOwners(write: WriteRequest, { before, after }: LeanChange, time: string): FieldOwners {
  if (before !== undefined && write.ownership === "kept") return before.owners;
  const { resource, subresource, fieldManager, shape } = write;
  const by = { resource, subresource, fieldManager, shape }; // All that is remembered of the request.
  return new DeferredOwners(before?.owners, () => ({ ...ownershipOptions(by, time), before: before?.object, after }));
}

/** The object about to be stored, with the owners of its fields. */
export function trackOwnership(
  write: WriteRequest,
  { before, after }: { readonly before?: ApiObject; readonly after: ApiObject },
  time: string,
): ApiObject {
  if (write.ownership !== "track") return after;
  const written = before === undefined ? after : withNulls(write, { before, after });
  return trackFieldOwnership({ ...ownershipOptions(write, time), before, after: written }) as ApiObject;
}

/** The object with null for lists at its top that it had and that Go never leaves out: who empties one owns it. */
function withNulls(
  { shape: { empty = {} } }: WriteRequest,
  { before, after }: { readonly before: ApiObject; readonly after: ApiObject },
): ApiObject {
  const emptied = Object.keys(empty).filter(
    (name) => empty[name] === null && before[name] !== undefined && after[name] === undefined,
  );
  return emptied.length === 0 ? after : { ...after, ...Object.fromEntries(emptied.map((name) => [name, null])) };
}

/** What core/patch needs to know of a write. */
export function ownershipOptions(
  {
    resource,
    subresource,
    fieldManager,
    shape,
  }: Pick<WriteRequest, "resource" | "subresource" | "fieldManager" | "shape">,
  time: string,
): OwnershipOptions {
  return {
    apiVersion: apiVersionOf(resource.definition),
    manager: fieldManager,
    schema: shape.schema,
    now: time,
    subresource,
    resetFields: resetFieldsOf(resource, subresource),
    ...(shape.empty === undefined ? {} : { empty: shape.empty }),
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
