/**
 * Which requests a webhook or policy wants to see: rules, the labels of the namespace and of the object. Shared by
 * webhooks and policies, whose configurations say it in the same words. Pure, but for reading the namespace.
 */
import { apiVersionOf, type JsonObject, type LabelSelector, type Labels, selectorMatches } from "@kubewright/core/meta";
import { notFound } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { AdmissionRequest } from "./admission.ts";

/** Which operations on which resources. */
export interface RuleWithOperations extends JsonObject {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only for policies. */
  readonly resourceNames?: readonly string[];
}

/** What a configuration wants to see. */
export interface MatchCriteria {
  readonly rules: readonly RuleWithOperations[];
  /** @default none */
  readonly excludeRules?: readonly RuleWithOperations[];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchPolicy?: string;
}

/** The other served versions of a resource's kind. */
export type EquivalentsOf = (resource: ServedResource) => readonly ServedResource[];

/** The version of the resource in which a request matches; undefined when it does not. */
export function matchResource(
  criteria: MatchCriteria,
  request: AdmissionRequest,
  equivalentsOf: EquivalentsOf,
): ServedResource | undefined {
  if (!matchesObject(criteria.objectSelector, request)) return undefined;
  const { excludeRules = [] } = criteria;
  const matched = matchRules(criteria.rules, { criteria, request, equivalentsOf });
  if (matched === undefined || !matchesNamespace(criteria.namespaceSelector, request)) return undefined;
  const isExcluded = matchRules(excludeRules, { criteria, request, equivalentsOf }) !== undefined;
  return isExcluded ? undefined : matched;
}

/** Configurations of admission itself are admitted by nobody, so that they can always be repaired. */
export function isExempt({ resource: { definition } }: AdmissionRequest): boolean {
  return definition.group === "admissionregistration.k8s.io";
}

interface RuleContext {
  readonly criteria: MatchCriteria;
  readonly request: AdmissionRequest;
  readonly equivalentsOf: EquivalentsOf;
}

function matchRules(
  rules: readonly RuleWithOperations[],
  { criteria, request, equivalentsOf }: RuleContext,
): ServedResource | undefined {
  const { resource } = request;
  if (rules.some((rule) => ruleMatches(rule, request, resource))) return resource;
  if (criteria.matchPolicy === "Exact" || rules.length === 0) return undefined;
  const equivalents = equivalentsOf(resource);
  if (equivalents.length === 0) return undefined;
  for (const rule of rules) {
    const found = equivalents.find((equivalent) => ruleMatches(rule, request, equivalent));
    if (found !== undefined) return found;
  }
  return undefined;
}

function ruleMatches(rule: RuleWithOperations, request: AdmissionRequest, resource: ServedResource): boolean {
  const { group, version } = resource.definition;
  const { resourceNames = [] } = rule;
  return (
    hasOrAll(rule.operations, request.operation) &&
    hasOrAll(rule.apiGroups, group) &&
    hasOrAll(rule.apiVersions, version) &&
    matchesScope(rule, request) &&
    (rule.resources ?? []).some((pattern) => matchesPattern(pattern, resource, request.subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(request.name))
  );
}

function hasOrAll(values: readonly string[] = [], wanted: string): boolean {
  return values.includes("*") || values.includes(wanted);
}

function matchesScope({ scope = "*" }: RuleWithOperations, { resource }: AdmissionRequest): boolean {
  return scope === "*" || scope === resource.definition.scope;
}

/** "pods", "pods/log", "pods/*", "*\/scale", "*", "*\/*". */
function matchesPattern(pattern: string, { definition }: ServedResource, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const resource = slash === -1 ? pattern : pattern.slice(0, slash);
  const wanted = slash === -1 ? "" : pattern.slice(slash + 1);
  return (resource === "*" || resource === definition.plural) && (wanted === "*" || wanted === subresource);
}

function matchesObject(selector: LabelSelector | undefined, { object, oldObject }: AdmissionRequest): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  return [object, oldObject].some((each) => each !== undefined && selectorMatches(selector, labelsOf(each)));
}

function matchesNamespace(selector: LabelSelector | undefined, request: AdmissionRequest): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  const { resource, object, oldObject, namespace, reader } = request;
  if (resource.storageName === "namespaces") return selectorMatches(selector, labelsOf(object ?? oldObject));
  if (namespace === "") return true;
  const found = reader.get("namespaces", "", namespace);
  if (found === undefined) throw notFound({ group: "", plural: "namespaces" }, namespace);
  return selectorMatches(selector, labelsOf(found));
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function labelsOf(object: ApiObject | undefined): Labels {
  return object?.metadata.labels ?? {};
}

/** An object in another version of its kind. What subresources take is of a kind of its own, and stays as it is. */
export async function convertTo(
  object: ApiObject | undefined,
  from: ServedResource,
  to: ServedResource,
): Promise<ApiObject | undefined> {
  if (object === undefined || from === to || object.kind !== from.definition.kind) return object;
  const apiVersion = apiVersionOf(to.definition);
  const [converted] = (await from.convert?.([object], apiVersion)) ?? [{ ...object, apiVersion }];
  return converted;
}
