/**
 * Admission policies and their bindings, as stored, and which of them apply to a request with which parameters. The
 * validating and the mutating plugin share it: their policies differ only in what they do with a match.
 */
import { isJsonArray, isJsonObject, type JsonObject, type LabelSelector, selectorMatches } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import type { ServedResource } from "../../resource/resource.ts";
import type { Storage } from "../../storage/storage.ts";
import type { AdmissionRequest } from "../admission.ts";
import type { MatchCondition } from "../expressions.ts";
import { convertTo, type EquivalentsOf, isExempt, type MatchCriteria, matchResource } from "../match-resources.ts";
import { type Followed, followItems } from "../webhooks/configurations.ts";

/** A policy; `spec` is what is particular to its kind. */
export interface Policy {
  readonly name: string;
  readonly criteria: MatchCriteria;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly conditions: readonly MatchCondition[];
  readonly variables: ReadonlyMap<string, string>;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly spec: JsonObject;
}

/** A binding of a policy. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Absent when the binding matches whatever its policy does. */
  readonly criteria: MatchCriteria | undefined;
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly string[];
}

interface ParamRef extends JsonObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector & JsonObject;
  readonly parameterNotFoundAction?: string;
}

/** What finding policies needs. */
export interface PolicyParts {
  readonly equivalentsOf: EquivalentsOf;
  /** The served resource of a kind. */
  readonly findKind: (apiVersion: string, kind: string) => ServedResource | undefined;
}

/** The policies and bindings of one kind. */
export interface PolicySource {
  readonly policies: Followed<Policy>;
  readonly bindings: Followed<PolicyBinding>;
}

/** One policy, applied with one set of parameters; or why it cannot be. */
export interface Application {
  readonly policy: Policy;
  readonly binding: PolicyBinding | undefined;
  readonly matched: ServedResource;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly params: ApiObject | undefined;
  /** Set when the policy is configured wrongly. */
  readonly problem: string | undefined;
}

/** Follows the policies of a kind: "validatingadmissionpolicies", "mutatingadmissionpolicies". */
export function followPolicies(storage: Storage, plural: string): PolicySource {
  const group = "admissionregistration.k8s.io";
  const bindings = plural.replace(/ies$/, "ybindings");
  return {
    policies: followItems(storage, `${plural}.${group}`, (object) => [toPolicy(object)]),
    bindings: followItems(storage, `${bindings}.${group}`, (object) => [toBinding(object)]),
  };
}

/** How the policies apply to a request, in the order of their names and those of their bindings. */
export async function findApplications(
  { policies, bindings }: PolicySource,
  request: AdmissionRequest,
  parts: PolicyParts,
): Promise<readonly Application[]> {
  if (policies.current().length === 0 || isExempt(request)) return [];
  const applications: Application[] = [];
  for (const policy of policies.current()) {
    const own = bindings.current().filter(({ policyName }) => policyName === policy.name);
    const matched = own.length === 0 ? undefined : matchResource(policy.criteria, request, parts.equivalentsOf);
    if (matched === undefined) continue;
    const object = await convertTo(request.object, request.resource, matched);
    const oldObject = await convertTo(request.oldObject, request.resource, matched);
    const common = { policy, matched, object, oldObject };
    for (const binding of own.filter((each) => bindingMatches(each, request, parts))) {
      const found = findParams(policy, binding, { request, parts });
      if (typeof found === "string") applications.push({ ...common, binding, params: undefined, problem: found });
      else for (const params of found) applications.push({ ...common, binding, params, problem: undefined });
    }
  }
  return applications;
}

function bindingMatches(
  { criteria }: PolicyBinding,
  request: AdmissionRequest,
  { equivalentsOf }: PolicyParts,
): boolean {
  return criteria === undefined || matchResource(criteria, request, equivalentsOf) !== undefined;
}

/** The parameters to apply a policy with, one by one; or why there are none. */
function findParams(
  { paramKind }: Policy,
  { paramRef }: PolicyBinding,
  { request, parts }: { readonly request: AdmissionRequest; readonly parts: PolicyParts },
): readonly (ApiObject | undefined)[] | string {
  if (paramKind === undefined || paramRef === undefined) return [undefined];
  const resource = parts.findKind(paramKind.apiVersion, paramKind.kind);
  if (resource === undefined) {
    return `failed to configure policy: failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
  }
  const isNamespaced = resource.definition.scope === "Namespaced";
  const { namespace: given = "", name = "", selector } = paramRef;
  const namespace = isNamespaced ? (given === "" ? request.namespace : given) : "";
  if (!isNamespaced && given !== "") {
    return "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
  }
  if (isNamespaced && namespace === "") {
    return "failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
  }
  const found =
    name === ""
      ? request.reader
          .list(resource.storageName, namespace)
          .filter(({ metadata }) => selectorMatches(selector ?? {}, metadata.labels ?? {}))
      : [request.reader.get(resource.storageName, namespace, name)].filter((each) => each !== undefined);
  if (found.length > 0 || paramRef.parameterNotFoundAction === "Allow") return found;
  return "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction";
}

function toPolicy({ metadata, spec }: ApiObject): Policy {
  const own = isJsonObject(spec) ? spec : {};
  const { paramKind } = own;
  const variables = objectsAt(own, "variables").map(
    ({ name, expression }) => [String(name), String(expression)] as const,
  );
  return {
    name: metadata.name ?? "",
    criteria: toCriteria(own["matchConstraints"]),
    failurePolicy: own["failurePolicy"] === "Ignore" ? "Ignore" : "Fail",
    conditions: objectsAt(own, "matchConditions") as readonly MatchCondition[],
    variables: new Map(variables),
    paramKind: isJsonObject(paramKind) ? (paramKind as unknown as NonNullable<Policy["paramKind"]>) : undefined,
    spec: own,
  };
}

function toBinding({ metadata, spec }: ApiObject): PolicyBinding {
  const own = isJsonObject(spec) ? spec : {};
  const { matchResources, paramRef, validationActions } = own;
  return {
    name: metadata.name ?? "",
    policyName: String(own["policyName"] ?? ""),
    criteria: isJsonObject(matchResources) ? toBindingCriteria(matchResources) : undefined,
    paramRef: isJsonObject(paramRef) ? (paramRef as ParamRef) : undefined,
    actions: isJsonArray(validationActions) ? validationActions.map(String) : [],
  };
}

function toCriteria(value: unknown): MatchCriteria {
  const { resourceRules, excludeResourceRules, ...rest } = (isJsonObject(value) ? value : {}) as JsonObject;
  return {
    ...(rest as Partial<MatchCriteria>),
    rules: (isJsonArray(resourceRules) ? resourceRules : []) as unknown as MatchCriteria["rules"],
    excludeRules: (isJsonArray(excludeResourceRules) ? excludeResourceRules : []) as unknown as MatchCriteria["rules"],
  };
}

/** A binding without rules narrows by labels only. */
function toBindingCriteria(value: JsonObject): MatchCriteria {
  const criteria = toCriteria(value);
  if (criteria.rules.length > 0) return criteria;
  const all = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
  return { ...criteria, rules: [all] };
}

/** A list of objects in JSON. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
