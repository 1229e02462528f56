/**
 * RBAC rules: whether one allows an action, and whether some cover others. The rule index stores them, the authorizer
 * and the escalation check ask here. Pure functions.
 */
import type { JsonObject } from "@kubewright/core/meta";
import { type Action, combinedResource, type PathAttributes, type ResourceAttributes } from "../authorization.ts";

/** One rule of a role; lists that are absent are empty. */
export interface PolicyRule extends JsonObject {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Everything there is. */
export const fullAuthority: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** True when the rule allows the action. */
export function ruleAllows(rule: PolicyRule, action: Action): boolean {
  if (!hasOrAll(rule.verbs, action.verb)) return false;
  return action.isResource ? allowsResource(rule, action) : allowsPath(rule, action);
}

function allowsResource(rule: PolicyRule, action: ResourceAttributes): boolean {
  const { resources = [], resourceNames = [] } = rule;
  if (!hasOrAll(rule.apiGroups, action.group)) return false;
  if (!coversResource(resources, combinedResource(action))) return false;
  return resourceNames.length === 0 || resourceNames.includes(action.name);
}

function allowsPath({ nonResourceURLs = [] }: PolicyRule, { path }: PathAttributes): boolean {
  return nonResourceURLs.some((url) => url === "*" || coversUrl(url, path));
}

/** "*" is every resource, "*\/status" that subresource of every one. */
function coversResource(resources: readonly string[], wanted: string): boolean {
  if (hasOrAll(resources, wanted)) return true;
  const slash = wanted.indexOf("/");
  return slash !== -1 && resources.includes(`*${wanted.slice(slash)}`);
}

function coversUrl(owned: string, wanted: string): boolean {
  return owned === wanted || (owned.endsWith("*") && wanted.startsWith(owned.replace(/\*+$/, "")));
}

function hasOrAll(values: readonly string[] = [], wanted: string): boolean {
  return values.includes("*") || values.includes(wanted);
}

/** Which of the smallest parts of `wanted` no rule of `owned` covers. */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !owned.some((rule) => ruleCovers(rule, part)));
}

/** A rule as rules of one verb, one resource or path, and at most one name each. */
function breakDown(rule: PolicyRule): readonly PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
  );
  const onPaths = nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return [...onResources, ...onPaths];
}

function ruleCovers(owned: PolicyRule, part: PolicyRule): boolean {
  const { resourceNames = [], nonResourceURLs = [], resources = [] } = owned;
  const covers = (of: readonly string[] | undefined, wanted: readonly string[] = []): boolean =>
    wanted.every((value) => hasOrAll(of, value));
  const names = part.resourceNames ?? [];
  return (
    covers(owned.verbs, part.verbs) &&
    covers(owned.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(resources, resource)) &&
    (part.nonResourceURLs ?? []).every((url) => nonResourceURLs.some((each) => coversUrl(each, url))) &&
    (resourceNames.length === 0 || (names.length > 0 && names.every((name) => resourceNames.includes(name))))
  );
}

/** The rules as a refusal shows them: verbs of one resource together, sorted, a line each. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const compacted = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
    const isSimple = (rule.nonResourceURLs ?? []).length === 0;
    const known = isSimple ? compacted.get(key) : undefined;
    const merged = known === undefined ? rule : { ...known, verbs: [...(known.verbs ?? []), ...(rule.verbs ?? [])] };
    compacted.set(isSimple ? key : `${key} ${JSON.stringify(rule.verbs)}`, merged);
  }
  return [...new Set(Array.from(compacted.values(), describeRule))].sort().join("\n");
}

function describeRule(rule: PolicyRule): string {
  const parts = [
    describeList("APIGroups", rule.apiGroups),
    describeList("Resources", rule.resources),
    describeList("NonResourceURLs", rule.nonResourceURLs),
    describeList("ResourceNames", rule.resourceNames),
    describeList("Verbs", rule.verbs),
  ];
  return `{${parts.filter((part) => part !== "").join(", ")}}`;
}

function describeList(name: string, values: readonly string[] = []): string {
  return values.length === 0 ? "" : `${name}:${quoteList(values)}`;
}

/** Texts as Go's %q prints a list: ["a" "b"]. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
