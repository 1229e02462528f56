/**
 * Whether a child is exactly what is wanted: nothing is missing, and nothing is there that was not wanted or made by the runtime and the
 * server. Then its mark need not be worked out, which takes a hash of all that is wanted: the mark tells what an apply left behind, and here
 * nothing is left. Asked before anything else, since after a restart it is true of nearly all ConfigMaps, Secrets and the like; what the
 * server fills in is never exactly as wanted, and for that there are the mark and covers.ts.
 */
import { apiVersionOf, deepEqual, type KubernetesObject, type Labels } from "@kubewright/core/meta";
import { APPLIED_ANNOTATION, type Ownership, readMark } from "./child-manifest.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the server decides, or is looked at apart. */
const NOT_CONTENT: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);
/** What may be wanted of metadata; the first two found the child. */
const WANTED_METADATA: ReadonlySet<string> = new Set(["name", "namespace", "labels", "annotations"]);

/** True when `observed`, found by the name of `wanted`, is exactly that and its owner's. */
export function isAsWanted(observed: KubernetesObject, wanted: KubernetesObject, ownership: Ownership): boolean {
  const { deletionTimestamp, finalizers } = observed.metadata ?? {};
  if (deletionTimestamp !== undefined || finalizers !== undefined || ownership.epoch !== undefined) return false;
  return (
    hasOneOwner(observed, ownership) &&
    hasMetadata(observed, wanted, ownership.controller) &&
    hasContent(observed, wanted)
  );
}

/** The one reference that the runtime sets. */
function hasOneOwner({ metadata }: KubernetesObject, { owner, ownerDefinition }: Ownership): boolean {
  const references = metadata?.ownerReferences ?? [];
  const [reference] = references;
  return (
    reference !== undefined &&
    references.length === 1 &&
    reference.uid === owner.metadata?.uid &&
    reference.name === owner.metadata?.name &&
    reference.kind === ownerDefinition.kind &&
    reference.apiVersion === apiVersionOf(ownerDefinition) &&
    reference.controller === true &&
    reference.blockOwnerDeletion === true
  );
}

function hasMetadata(observed: KubernetesObject, wanted: KubernetesObject, controller: string): boolean {
  const { labels, annotations } = wanted.metadata ?? {};
  for (const field in wanted.metadata) if (!WANTED_METADATA.has(field)) return false;
  return (
    readMark(observed)?.mark.startsWith(`${controller}/`) === true &&
    deepEqual(withoutMark(observed.metadata?.annotations), annotations ?? {}) &&
    deepEqual(observed.metadata?.labels ?? {}, labels ?? {})
  );
}

function withoutMark(annotations: Labels = {}): Labels {
  if (!Object.hasOwn(annotations, APPLIED_ANNOTATION)) return annotations;
  const { [APPLIED_ANNOTATION]: _mark, ...others } = annotations;
  return others;
}

function hasContent(observed: KubernetesObject, wanted: KubernetesObject): boolean {
  for (const field in observed) if (!isSame(observed, wanted, field)) return false;
  for (const field in wanted) if (!Object.hasOwn(observed, field) && !isSame(observed, wanted, field)) return false;
  return true;
}

function isSame(observed: KubernetesObject, wanted: KubernetesObject, field: string): boolean {
  return NOT_CONTENT.has(field) || deepEqual((observed as Fields)[field], (wanted as Fields)[field]);
}
