/**
 * Aggregated cluster roles: a role with an aggregationRule has the rules of all roles that its selectors match. In a
 * cluster a controller of kube-controller-manager does it; here the server itself does, so that admin, edit and view
 * mean something without one. Follows the stored cluster roles and writes what differs.
 */
import { deepEqual, type LabelSelector, selectorMatches } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import type { PolicyRule } from "../auth/rbac/policy-rule.ts";
import type { Backend } from "../registry/backend.ts";
import { internalWrite } from "../registry/internal-write.ts";
import { updateObject } from "../registry/update.ts";
import { type ApiObject, withFields } from "../resource/object.ts";
import type { StoredEvent } from "../storage/storage.ts";

const GROUP = "rbac.authorization.k8s.io";
const RESOURCE = `clusterroles.${GROUP}`;

/** A cluster role as far as aggregation knows it. */
export interface ClusterRole extends ApiObject {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] } & ApiObject;
  readonly rules?: readonly PolicyRule[] | null;
}

/** The rules of all roles that an aggregated one selects, in the order of `roles`, each rule once. */
export function aggregatedRules(role: ClusterRole, roles: readonly ClusterRole[]): readonly PolicyRule[] {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const isSelected = ({ metadata: { name, labels = {} } }: ClusterRole): boolean =>
    name !== role.metadata.name && selectors.some((selector) => selectorMatches(selector, labels));
  const rules = new Map<string, PolicyRule>();
  for (const rule of roles.filter(isSelected).flatMap((selected) => selected.rules ?? [])) {
    rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
}

/** Follows the cluster roles; returns how to stop. */
export function aggregateClusterRoles(backend: Backend): () => void {
  let isPending = false;
  let isClosed = false;
  const run = async (): Promise<void> => {
    isPending = false;
    try {
      if (!isClosed) await aggregateAll(backend);
    } catch (error) {
      backend.log.error("cluster roles could not be aggregated", { error: String(error) });
    }
  };
  const onEvent = (event: StoredEvent): void => {
    if (isPending || !concernsAggregation(event)) return;
    isPending = true;
    queueMicrotask(() => void run()); // Events are told before their write is over, and writing again must wait for that.
  };
  const watch = backend.storage.watch(RESOURCE, backend.storage.revision, onEvent);
  return () => {
    isClosed = true;
    watch?.cancel();
  };
}

/** Only roles with labels can be selected. */
function concernsAggregation({ entry, previous }: StoredEvent): boolean {
  return [entry, previous].some((each) => /"(?:aggregationRule|labels)":\{/.test(each?.text ?? ""));
}

/** Roles may select aggregated ones: as many passes as there are reach the end of any chain. */
async function aggregateAll(backend: Backend): Promise<void> {
  const list = (): readonly ClusterRole[] => backend.reader.list(RESOURCE, "") as readonly ClusterRole[];
  const passesMax = list().filter((role) => role.aggregationRule !== undefined).length;
  for (let pass = 0; pass < passesMax; pass++) {
    const roles = list();
    const outdated = roles.filter(
      (role) => role.aggregationRule !== undefined && !deepEqual(aggregatedRules(role, roles), role.rules ?? []),
    );
    if (outdated.length === 0) return;
    for (const role of outdated) await writeRules(backend, role.metadata.name ?? "", aggregatedRules(role, roles));
  }
}

async function writeRules(backend: Backend, name: string, rules: readonly PolicyRule[]): Promise<void> {
  const resource = backend.registry.find(GROUP, "v1", "clusterroles");
  if (resource === undefined) return;
  const write = await internalWrite(resource, { name, namespace: "" });
  try {
    await updateObject(backend, { ...write, fieldManager: "clusterrole-aggregation-controller" }, (current) =>
      withFields(current, { rules }),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error; // Deleted meanwhile.
  }
}
