/**
 * RBAC of an installation: what the controllers need (derived from them, nothing more), the lease of the leader, the
 * checks of who may read metrics, and roles per kind for people.
 */
import type { JsonObject } from "@kubewright/core/meta";
import type { CustomResource } from "@kubewright/core/schema";
import { type AnyController, type PolicyRule, rbacRules } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";
import type { LoadedConfig } from "../project/load-config.ts";
import { type InstallationNames, installationNames } from "./installation-names.ts";

const RBAC = "rbac.authorization.k8s.io";
const READ = ["get", "list", "watch"];
const EDIT = ["create", "delete", ...READ, "patch", "update"].toSorted();
const ALL = [...EDIT, "deletecollection"].toSorted();

/** A rule as the API has it. */
interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** The file names in config/rbac and their objects, for an operator. */
export function rbacObjects(
  config: LoadedConfig,
  controllers: readonly AnyController[],
): readonly (readonly [file: string, object: JsonObject])[] {
  const names = installationNames(config);
  const home = config.scope === "namespaced" ? names.namespace : undefined;
  const manager = `${config.name}-manager`;
  const election = `${config.name}-leader-election`;
  const metrics = `${config.name}-metrics-auth`;
  return [
    ["service_account.yaml", serviceAccount(names)],
    ["role.yaml", role(manager, managerRules(controllers), { names, namespace: home })],
    ["role_binding.yaml", binding(manager, { names, namespace: home })],
    ["leader_election_role.yaml", role(election, leaseRules(config.name), { names, namespace: names.namespace })],
    ["leader_election_role_binding.yaml", binding(election, { names, namespace: names.namespace })],
    ["metrics_auth_role.yaml", role(metrics, METRICS_AUTH, { names })],
    ["metrics_auth_role_binding.yaml", binding(metrics, { names })],
    ["metrics_reader_role.yaml", role(`${config.name}-metrics-reader`, METRICS_READER, { names })],
  ];
}

/** Roles for people who look at, edit, or own objects of a kind. */
export function kindRoles(
  config: LoadedConfig,
  resource: CustomResource,
): readonly (readonly [file: string, object: JsonObject])[] {
  const names = installationNames(config);
  const kind = resource.kind.toLowerCase();
  const rules = (verbs: readonly string[], statusVerbs: readonly string[] = ["get"]): Rule[] => [
    { apiGroups: [resource.group], resources: [resource.plural], verbs },
    { apiGroups: [resource.group], resources: [`${resource.plural}/status`], verbs: statusVerbs },
  ];
  const file = `${resource.group.split(".")[0]}_${kind}`;
  const title = `${config.name}-${file.replace("_", "-")}`;
  return [
    [`${file}_admin_role.yaml`, role(`${title}-admin`, rules(ALL, ["get", "patch", "update"]), { names })],
    [`${file}_editor_role.yaml`, role(`${title}-editor`, rules(EDIT), { names })],
    [`${file}_viewer_role.yaml`, role(`${title}-viewer`, rules(READ), { names })],
  ];
}

/** What all controllers need together: one rule for each set of verbs in a group, sorted. */
export function managerRules(controllers: readonly AnyController[]): readonly Rule[] {
  const verbsOf = new Map<string, { readonly of: Omit<Rule, "verbs">; readonly verbs: Set<string> }>();
  for (const rule of controllers.flatMap((controller) => [...rbacRules(controller)])) {
    for (const { key, of } of partsOf(rule)) {
      const entry = verbsOf.get(key) ?? { of, verbs: new Set<string>() };
      for (const verb of rule.verbs) entry.verbs.add(verb);
      verbsOf.set(key, entry);
    }
  }
  const merged = new Map<string, Rule>();
  for (const [, { of, verbs }] of [...verbsOf].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const sorted = [...verbs].toSorted();
    const key = JSON.stringify([of.apiGroups, of.resourceNames, sorted]);
    const resources = [...(merged.get(key)?.resources ?? []), ...(of.resources ?? [])];
    merged.set(key, { ...of, resources, verbs: sorted });
  }
  return [...merged.values()];
}

function partsOf({ groups, resources, resourceNames }: PolicyRule): { key: string; of: Omit<Rule, "verbs"> }[] {
  return groups.flatMap((group) =>
    resources.map((resource) => ({
      key: JSON.stringify([group, resource, resourceNames]),
      of: { apiGroups: [group], resources: [resource], ...(resourceNames === undefined ? {} : { resourceNames }) },
    })),
  );
}

/** An operator that only works in its namespace cannot keep objects that are in none. */
export function refuseClusterKinds(config: LoadedConfig, resources: readonly CustomResource[]): void {
  const found = config.scope === "namespaced" ? resources.find(({ scope }) => scope === "Cluster") : undefined;
  if (found === undefined) return;
  throw new CommandError(`${found.kind} is in no namespace, and the operator works in one only (scope: "namespaced")`, {
    remedy: 'make the kind namespaced, or set scope: "cluster" with: kubewright edit --scope cluster',
  });
}

/** Only the operator's own lease, and the right to make it. */
function leaseRules(name: string): readonly Rule[] {
  const lease = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
  return [
    { ...lease, verbs: ["create"] },
    { ...lease, resourceNames: [name], verbs: ["get", "update"] },
  ];
}

const METRICS_AUTH: readonly Rule[] = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
];
const METRICS_READER: readonly Rule[] = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];

/** In a namespace, or in none. */
interface Place {
  readonly names: InstallationNames;
  readonly namespace?: string | undefined;
}

function metadataOf(name: string, { names, namespace }: Place): JsonObject {
  return { name, ...(namespace === undefined ? {} : { namespace }), labels: names.labels };
}

function serviceAccount(names: InstallationNames): JsonObject {
  const metadata = metadataOf(names.manager, { names, namespace: names.namespace });
  return { apiVersion: "v1", kind: "ServiceAccount", metadata };
}

function role(name: string, rules: readonly Rule[], place: Place): JsonObject {
  const kind = place.namespace === undefined ? "ClusterRole" : "Role";
  const given = rules.map((rule) => ({ ...rule }) as JsonObject);
  return { apiVersion: `${RBAC}/v1`, kind, metadata: metadataOf(name, place), rules: given };
}

function binding(name: string, place: Place): JsonObject {
  const { names, namespace } = place;
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return {
    apiVersion: `${RBAC}/v1`,
    kind: `${kind}Binding`,
    metadata: metadataOf(name, place),
    roleRef: { apiGroup: RBAC, kind, name },
    subjects: [{ kind: "ServiceAccount", name: names.manager, namespace: names.namespace }],
  };
}
