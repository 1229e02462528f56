/** The Pod Security Standards: which checks a level has in a version of Kubernetes, and what they find. Pure functions. */
import type { Pod } from "@kubewright/api/core/v1";
import { baselineChecks } from "./baseline.ts";
import type { Check, Violation } from "./check.ts";
import type { Standard } from "./policy.ts";
import { restrictedChecks } from "./restricted.ts";

/** What is wrong with a pod by a standard, in the order in which it is told. */
export function violationsOf({ level, version }: Standard, pod: Pod): readonly Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice("v1.".length));
  return checksOf(level, minor).flatMap((check) => findOf(check, minor)?.(pod) ?? []);
}

/** `reason (detail), …`. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

function checksOf(level: "baseline" | "restricted", minor: number): readonly Check[] {
  if (level === "baseline") return baselineChecks;
  const restricted = restrictedChecks.filter((check) => findOf(check, minor) !== undefined);
  const replaced = new Set(restricted.map(({ replaces }) => replaces));
  return [...baselineChecks.filter(({ id }) => !replaced.has(id)), ...restricted];
}

function findOf({ versions }: Check, minor: number): Check["versions"][number]["find"] | undefined {
  return versions.findLast(({ since }) => since <= minor)?.find;
}
