/** Which pods of a namespace would not be let in by the standard that it enforces from now on. Pure. */
import type { Pod } from "@kubewright/api/core/v1";
import { compareLevels, describeStandard, type Standard } from "./policy.ts";
import { violationsOf } from "./standards.ts";

const CHECKED_MAX = 3000;

/** What to warn of when a namespace changes its standard: nothing when it asks for no more than before. */
export function checkExistingPods(
  namespace: string,
  pods: readonly Pod[],
  { standard, before }: { readonly standard: Standard; readonly before: Standard },
): readonly string[] {
  const isSameVersion = standard.version === before.version;
  if (standard.level === "privileged" || (isSameVersion && compareLevels(standard, before) <= 0)) return [];
  const found = groupByReasons(firstOfEach(pods).slice(0, CHECKED_MAX), standard);
  const told = [...found].map(([reasons, names]) => `${describePods(names)}: ${reasons}`).sort();
  const [checked, all] = [Math.min(pods.length, CHECKED_MAX), pods.length];
  return [
    checked === all
      ? []
      : `new PodSecurity enforce level only checked against the first ${checked} of ${all} existing pods`,
    told.length === 0
      ? []
      : `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${describeStandard(standard)}"`,
    told,
  ].flat();
}

/** Pods of different controllers first. */
function firstOfEach(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const [first, more]: [Pod[], Pod[]] = [[], []];
  for (const pod of pods) {
    const controller = (pod.metadata?.ownerReferences ?? []).find((owner) => owner.controller === true)?.uid;
    (controller !== undefined && seen.has(controller) ? more : first).push(pod);
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...more];
}

/** The names of pods by what is wrong with them. */
function groupByReasons(pods: readonly Pod[], standard: Standard): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const pod of pods) {
    const reasons = violationsOf(standard, pod).map(({ reason }) => reason);
    const names = groups.get(reasons.join(", ")) ?? [];
    names.push(pod.metadata?.name ?? "");
    if (reasons.length > 0) groups.set(reasons.join(", "), names);
  }
  return groups;
}

/** `a`, `a (and 1 other pod)`, `a (and 2 other pods)`. */
function describePods(names: readonly string[]): string {
  const [first = ""] = [...names].sort();
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? "pod" : "pods"})`;
}
