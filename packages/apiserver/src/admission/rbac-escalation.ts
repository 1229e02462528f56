/**
 * Nobody grants more than they have: who writes a role must hold its permissions or the verb "escalate", who writes a
 * binding those of its role or the verb "bind". Part of the RBAC API itself, so it cannot be switched off.
 */
import { deepEqual } from "@kubewright/core/meta";
import { forbidden, notFound } from "@kubewright/core/protocol";
import { type Authorize, PRIVILEGED_GROUP, resourceAction } from "../auth/authorization.ts";
import { describeRules, fullAuthority, type PolicyRule, quoteList, uncoveredRules } from "../auth/rbac/policy-rule.ts";
import type { RoleRef, RuleIndex } from "../auth/rbac/rule-index.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";

const GROUP = "rbac.authorization.k8s.io";

/** What the check asks. */
export interface EscalationParts {
  readonly authorize: Authorize;
  readonly rules: RuleIndex;
}

/** Makes the check. */
export function rbacEscalation(parts: EscalationParts): AdmissionPlugin {
  return {
    name: "RBACEscalation",
    validate(request) {
      const { object, resource, subresource, user } = request;
      if (resource.definition.group !== GROUP || object === undefined || subresource !== "") return;
      if (user.groups.includes(PRIVILEGED_GROUP) || isOnlyCollected(request)) return;
      if (isRole(resource.definition.plural)) checkRole({ ...request, object }, parts);
      else checkBinding({ ...request, object }, parts);
    },
  };
}

type Written = AdmissionRequest & { readonly object: ApiObject };

function isRole(plural: string): boolean {
  return plural === "roles" || plural === "clusterroles";
}

/** The garbage collector takes away owners and finalizers of roles that it could not write. */
function isOnlyCollected({ object, oldObject }: AdmissionRequest): boolean {
  if (object === undefined || oldObject === undefined) return false;
  const ignored = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined };
  return deepEqual(withMetadata(object, ignored), withMetadata(oldObject, ignored));
}

function checkRole(request: Written, { authorize, rules }: EscalationParts): void {
  const { user, namespace, object, oldObject, resource } = request;
  const { plural } = resource.definition;
  const name = request.operation === "CREATE" ? "" : request.name;
  const action = resourceAction(user, { verb: "escalate", group: GROUP, resource: plural, namespace, name });
  if (authorize(action).allowed) return;
  requireHeld(request, rules, (object["rules"] ?? []) as readonly PolicyRule[]);
  if (!isAggregated(object) && !isAggregated(oldObject)) return;
  if (uncoveredRules(rules.rulesOf(user, namespace), fullAuthority).length === 0) return;
  const why = "must have cluster-admin privileges to use the aggregationRule";
  throw forbidden(resource.definition, object.metadata.name ?? "", why);
}

function isAggregated(role: ApiObject | undefined): boolean {
  const { clusterRoleSelectors = [] } = (role?.["aggregationRule"] ?? {}) as {
    clusterRoleSelectors?: readonly object[];
  };
  return clusterRoleSelectors.length > 0;
}

function checkBinding(request: Written, { authorize, rules }: EscalationParts): void {
  const { user, namespace, object, resource } = request;
  const roleRef = object["roleRef"] as RoleRef;
  const plural = roleRef.kind === "Role" ? "roles" : "clusterroles";
  const action = resourceAction(user, { verb: "bind", group: GROUP, resource: plural, namespace, name: roleRef.name });
  if (authorize(action).allowed) return;
  const granted = rules.rulesOfRole(roleRef, namespace);
  // Kubernetes names the role, and the resource of the binding.
  if (granted === undefined) throw notFound(resource.definition, roleRef.name);
  requireHeld(request, rules, granted);
}

function requireHeld(request: Written, index: RuleIndex, wanted: readonly PolicyRule[]): void {
  const { user, namespace, object, resource } = request;
  const missing = uncoveredRules(index.rulesOf(user, namespace), wanted);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=${quoteList(user.groups)})`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`;
  throw forbidden(resource.definition, object.metadata.name ?? "", why);
}
