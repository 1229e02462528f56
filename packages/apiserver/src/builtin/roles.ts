/** Roles and bindings of RBAC. What they grant is not checked here but where they are written (rbac-escalation.ts). */
import type { AggregationRule, ClusterRole, PolicyRule, RoleBinding, Subject } from "@kubewright/api/rbac/v1";
import { deepEqual, validateDnsSubdomain, validatePathSegment } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { asJson, fieldInvalidStruct } from "./validation/fields.ts";
import { validateLabelSelector } from "./validation/label-selectors.ts";

const GROUP = "rbac.authorization.k8s.io";

/** What is particular to Roles (`isNamespaced`) and ClusterRoles. */
export function roleParticulars(isNamespaced: boolean): KindParticulars {
  return {
    createOnUpdate: true,
    nameErrors: (name) => validatePathSegment(name),
    validate: (object) => {
      const { rules, aggregationRule } = object as unknown as ClusterRole;
      const errors = (rules ?? []).flatMap((rule, index) => validateRule(rule, `rules[${index}]`, isNamespaced));
      return aggregationRule == null ? errors : [...errors, ...validateAggregation(aggregationRule)];
    },
  };
}

function validateAggregation({ clusterRoleSelectors: selectors = [] }: AggregationRule): FieldError[] {
  const field = "aggregationRule.clusterRoleSelectors";
  if (selectors.length === 0) {
    return [fieldRequired(field, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(`${field}[${index}]`, selector);
    return errors.length === 0 ? [] : [...errors, fieldInvalid(`${field}[${index}]`, null, "invalid label selector.")];
  });
}

/** What is particular to RoleBindings (`isNamespaced`) and ClusterRoleBindings. */
export function bindingParticulars(isNamespaced: boolean): KindParticulars {
  return {
    createOnUpdate: true,
    nameErrors: (name) => validatePathSegment(name),
    validate: (object, current) => {
      const { roleRef, subjects } = object as unknown as RoleBinding;
      const changed = current !== undefined && !deepEqual(current["roleRef"], object["roleRef"]);
      return [
        ...validateRoleRef(roleRef, isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
        ...(subjects ?? []).flatMap((subject, index) => validateSubject(subject, `subjects[${index}]`, isNamespaced)),
        ...(changed ? [fieldInvalidStruct("roleRef", internalForm(roleRef), "cannot change roleRef")] : []),
      ];
    },
  };
}

/** A reference as Kubernetes prints it. */
function internalForm({ apiGroup, kind, name }: RoleBinding["roleRef"]): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateRule(rule: PolicyRule, field: string, isNamespaced: boolean): readonly FieldError[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const hasNone = (list: readonly string[] | undefined): boolean => (list ?? []).length === 0;
  const errors: FieldError[] = [];
  if (hasNone(verbs)) errors.push(fieldRequired(`${field}.verbs`, "verbs must contain at least one value"));
  if (!hasNone(nonResourceURLs)) {
    const urls = asJson(nonResourceURLs);
    const place = `${field}.nonResourceURLs`;
    if (isNamespaced) errors.push(fieldInvalid(place, urls, "namespaced rules cannot apply to non-resource URLs"));
    if (!hasNone(apiGroups) || !hasNone(resources) || !hasNone(resourceNames)) {
      errors.push(fieldInvalid(place, urls, "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return errors;
  }
  if (hasNone(apiGroups)) {
    errors.push(fieldRequired(`${field}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (hasNone(resources)) {
    errors.push(fieldRequired(`${field}.resources`, "resource rules must supply at least one resource"));
  }
  return errors;
}

function validateRoleRef({ apiGroup, kind, name }: RoleBinding["roleRef"], kinds: readonly string[]): FieldError[] {
  return [
    ...(apiGroup === GROUP ? [] : [fieldNotSupported("roleRef.apiGroup", apiGroup ?? "", [GROUP])]),
    ...(kinds.includes(kind) ? [] : [fieldNotSupported("roleRef.kind", kind ?? "", kinds)]),
    ...((name ?? "") === ""
      ? [fieldRequired("roleRef.name")]
      : validatePathSegment(name).map((detail) => fieldInvalid("roleRef.name", name, detail))),
  ];
}

function validateSubject(subject: Subject, field: string, isNamespaced: boolean): readonly FieldError[] {
  const { kind, name = "", apiGroup = "", namespace = "" } = subject;
  const named = name === "" ? [fieldRequired(`${field}.name`)] : [];
  switch (kind) {
    case "ServiceAccount":
      return [
        ...named,
        ...(name === "" ? [] : validateDnsSubdomain(name).map((detail) => fieldInvalid(`${field}.name`, name, detail))),
        ...(apiGroup === "" ? [] : [fieldNotSupported(`${field}.apiGroup`, apiGroup, [""])]),
        ...(isNamespaced || namespace !== "" ? [] : [fieldRequired(`${field}.namespace`)]),
      ];
    case "User":
    case "Group":
      return [...named, ...(apiGroup === GROUP ? [] : [fieldNotSupported(`${field}.apiGroup`, apiGroup, [GROUP])])];
    default:
      return [...named, fieldNotSupported(`${field}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}
