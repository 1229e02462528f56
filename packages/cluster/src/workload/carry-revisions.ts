/** Carries out a plan for ControllerRevisions (revisions.ts). */
import { ControllerRevision } from "@kubewright/api/apps/v1";
import { getControllerOf, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import { isAlreadyExists, isNotFound } from "@kubewright/core/protocol";
import type { ReconcileContext } from "@kubewright/runtime";
import { planRevisions, type RevisionOwner } from "./revisions.ts";

/** The revision of the owner's template as it is stored, and all that are kept. */
export interface Revisions {
  readonly update: ControllerRevision;
  readonly all: readonly ControllerRevision[];
}

/** Brings the history of `owner` up to date; `inUse` are names of revisions that pods or the status refer to. */
export async function keepRevisions(
  definition: ResourceDefinition<KubernetesObject, unknown>,
  owner: RevisionOwner,
  inUse: ReadonlySet<string>,
  context: Pick<ReconcileContext, "client" | "cache">,
): Promise<Revisions> {
  const existing = context.cache.list(ControllerRevision, { controlledBy: owner });
  const plan = planRevisions(owner, existing, inUse);
  const update = await writeRevision(definition, owner, plan, context);
  for (const revision of plan.remove) {
    try {
      await context.client.delete(ControllerRevision, revision);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return { update, all: [...existing.filter((each) => each.metadata?.name !== update.metadata?.name), update] };
}

/** A revision of that name that is not the owner's is a collision of hashes: the next try has another name. */
async function writeRevision(
  definition: ResourceDefinition<KubernetesObject, unknown>,
  owner: RevisionOwner,
  { update, write }: ReturnType<typeof planRevisions>,
  { client }: Pick<ReconcileContext, "client">,
): Promise<ControllerRevision> {
  if (write === "nothing") return update;
  if (write === "renumber") {
    return client.patch(ControllerRevision, update, { merge: { revision: update.revision } });
  }
  try {
    return await client.create(ControllerRevision, update);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.find(ControllerRevision, update);
    if (existing !== undefined && getControllerOf(existing)?.uid === owner.metadata?.uid) return existing;
    const collisionCount = (owner.status?.collisionCount ?? 0) + 1;
    await client.patch(definition, owner, { merge: { status: { collisionCount } } }, { subresource: "status" });
    throw error;
  }
}
