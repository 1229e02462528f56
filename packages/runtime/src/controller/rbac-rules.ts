/** RBAC from a controller's definition: the least that it needs to do what it declares. */
import { type AnyDefinition, isMetadataOnly } from "../client/definitions.ts";
import type { AnyController } from "./define-controller.ts";
import type { PolicyRule } from "./policy-rule.ts";

const READ = ["get", "list", "watch"];

/** The rules that a controller needs. Rules that differ only in resources are told as one. */
export function rbacRules(controller: AnyController): readonly PolicyRule[] {
  const rules: PolicyRule[] = [
    ruleFor(controller.for, patchesItsObjects(controller) ? [...READ, "patch"] : READ),
    ...(controller.status === undefined ? [] : [ruleFor(controller.for, ["patch"], "status")]),
    ...(blocksDeletion(controller) ? [ruleFor(controller.for, ["update"], "finalizers")] : []),
    ...(controller.owns ?? []).map((owned) => ruleFor(owned, controller.children === undefined ? READ : OWNED)),
    ...(controller.watches ?? []).map((watch) => ruleFor(watch.definition, READ)),
    ...(controller.reads ?? []).map((read) => ruleFor(read, READ)),
    ...(controller.caches ?? []).map((kept) => ruleFor(kept.definition, READ)),
    ...(controller.permissions ?? []),
    { groups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
  ];
  return mergeRules(rules);
}

/**
 * Finalizers hold objects back, and so do children, by their owner references (`blockOwnerDeletion`): where the admission plugin
 * OwnerReferencesPermissionEnforcement is on, as in OpenShift, both take this right.
 */
function blocksDeletion({ finalize, children }: AnyController): boolean {
  return finalize !== undefined || children !== undefined;
}

/** Finalizers and the stamps of fenced controllers are written into the objects themselves. */
function patchesItsObjects({ finalize, fenced }: AnyController): boolean {
  return finalize !== undefined || fenced === true;
}

/** Children are applied (which creates them, too) and deleted. */
const OWNED = [...READ, "create", "patch", "delete"];

function ruleFor(definition: AnyDefinition, verbs: readonly string[], subresource?: string): PolicyRule {
  const resource = subresource === undefined ? definition.plural : `${definition.plural}/${subresource}`;
  return { groups: [definition.group], resources: [resource], verbs: isMetadataOnly(definition) ? READ : verbs };
}

function mergeRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const verbsOf = new Map<string, { readonly rule: PolicyRule; readonly verbs: Set<string> }>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.groups, rule.resources, rule.resourceNames]);
    const known = verbsOf.get(key);
    if (known === undefined) verbsOf.set(key, { rule, verbs: new Set(rule.verbs) });
    else for (const verb of rule.verbs) known.verbs.add(verb);
  }
  const byRest = new Map<string, PolicyRule>();
  for (const { rule, verbs } of verbsOf.values()) {
    const merged = { ...rule, verbs: [...verbs] };
    const key = JSON.stringify([rule.groups, merged.verbs, rule.resourceNames]);
    const known = byRest.get(key);
    const resources = known === undefined ? rule.resources : [...known.resources, ...rule.resources];
    byRest.set(key, { ...merged, resources });
  }
  return [...byRest.values()];
}
