/**
 * The roles and bindings that every cluster starts with. Stored when the server starts, where they are not there yet; stored
 * ones get what they lack (reconcile-role.ts), and what a user added stays. They go straight to the storage: they are known to be valid, and there are more
 * of them than a server should check one by one before its first request.
 */

import type { JsonObject } from "@kubewright/core/meta";
import { formatTime } from "@kubewright/core/meta";
import { randomUuid } from "@kubewright/core/ports";
import type { Backend } from "../registry/backend.ts";
import { type ApiObject, decodeObject, encodeObject } from "../resource/object.ts";
import { aggregatedRules, type ClusterRole } from "./aggregation.ts";
import { reconcileDefault } from "./reconcile-role.ts";

const GROUP = "rbac.authorization.k8s.io";
const LABELS = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const ANNOTATIONS = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

type Entry = JsonObject & {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: { readonly [key: string]: string };
};

type Ports = Pick<Backend, "storage" | "random" | "clock">;

/** Stores the default roles and bindings, and what stored ones lack. */
export async function createDefaultRoles(ports: Ports): Promise<void> {
  const policy = await import("./generated/default-roles.ts");
  const time = formatTime(ports.clock.now());
  const make = (kind: string, entries: readonly unknown[]): readonly ApiObject[] =>
    entries.map((entry) => toObject(kind, entry as Entry, { uid: randomUuid(ports.random), time }));
  storeAll(ports, "clusterroles", aggregate(make("ClusterRole", policy.clusterRoles) as readonly ClusterRole[]));
  storeAll(ports, "clusterrolebindings", make("ClusterRoleBinding", policy.clusterRoleBindings));
  storeAll(ports, "roles", make("Role", policy.roles));
  storeAll(ports, "rolebindings", make("RoleBinding", policy.roleBindings));
}

function toObject(
  kind: string,
  { name, namespace, labels, ...content }: Entry,
  { uid, time }: { readonly uid: string; readonly time: string },
): ApiObject {
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    creationTimestamp: time,
    labels: { ...LABELS, ...labels },
    annotations: ANNOTATIONS,
  };
  return { apiVersion: `${GROUP}/v1`, kind, metadata, ...content };
}

/** Admin selects edit, and edit selects view: the third pass changes nothing more. Most roles have nothing to do with it. */
function aggregate(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  const isSelectable = ({ metadata: { labels = {} } }: ClusterRole): boolean =>
    Object.keys(labels).length > Object.keys(LABELS).length;
  const pass = (all: readonly ClusterRole[]): readonly ClusterRole[] => {
    const selectable = all.filter(isSelectable);
    return all.map((role) =>
      role.aggregationRule === undefined ? role : { ...role, rules: aggregatedRules(role, selectable) },
    );
  };
  return pass(pass(pass(roles)));
}

function storeAll({ storage }: Ports, plural: string, objects: readonly ApiObject[]): void {
  const resource = `${plural}.${GROUP}`;
  for (const wanted of objects) {
    const { name = "", namespace } = wanted.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    const entry = storage.get(resource, key);
    const stored = entry === undefined ? undefined : decodeObject(entry.text);
    const object = stored === undefined ? wanted : reconcileDefault(stored, wanted);
    if (object === stored) continue;
    const encode = (revision: number): string => encodeObject(object, revision);
    storage.commit({ resource, key, operation: "put", expected: entry?.revision ?? 0, encode });
  }
}
