/**
 * How far the deletion of a namespace is: which kinds to empty now, what remains, and what its conditions say. Pure; controller.ts
 * carries it out. Pods go before everything else, so that nothing they use is taken from under them.
 */
import type { NamespaceCondition } from "@kubewright/api/core/v1";
import { formatTime, type KubernetesObject } from "@kubewright/core/meta";
import type { ServedKind } from "../feed/served-kinds.ts";

/** What a namespace holds of one kind. */
export interface NamespaceContent {
  readonly kind: ServedKind;
  readonly objects: readonly KubernetesObject[];
}

/** The kinds whose objects are to be deleted now: pods alone as long as there are any. */
export function kindsToEmpty(contents: readonly NamespaceContent[]): readonly NamespaceContent[] {
  const full = contents.filter(({ objects }) => objects.length > 0);
  const pods = full.filter(({ kind }) => kind.resource === "pods");
  return pods.length > 0 ? pods : full;
}

/** What was left after a round of deletions. */
export interface DeletionOutcome {
  readonly remaining: readonly NamespaceContent[];
  readonly failures: readonly string[];
}

/** The conditions that tell of the outcome; times of those that did not change are kept. */
export function deletionConditions(
  before: readonly NamespaceCondition[],
  outcome: DeletionOutcome,
  now: number,
): readonly NamespaceCondition[] {
  const problems = problemsOf(outcome);
  const stated = fine.map(([type, reason, message]): NamespaceCondition => {
    const problem = problems.get(type);
    const told = problem === undefined ? { status: "False", reason, message } : { status: "True", ...problem };
    const known = before.find((condition) => condition.type === type);
    const isOld = known?.status === told.status && known.lastTransitionTime !== undefined;
    return { type, ...told, lastTransitionTime: isOld ? known.lastTransitionTime : formatTime(now) };
  });
  return [...before.filter(({ type }) => !stated.some((condition) => condition.type === type)), ...stated];
}

/** Type, reason and message of each condition when there is nothing to complain about. */
const fine = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
] as const;

type Problems = ReadonlyMap<string, { readonly reason: string; readonly message: string }>;

function problemsOf({ remaining, failures }: DeletionOutcome): Problems {
  const problems = new Map<string, { readonly reason: string; readonly message: string }>();
  if (failures.length > 0) {
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(", ")}`;
    problems.set("NamespaceDeletionContentFailure", { reason: "ContentDeletionFailed", message });
  }
  if (remaining.length > 0) {
    const message = `Some resources are remaining: ${remaining.map(describeContent).toSorted().join(", ")}`;
    problems.set("NamespaceContentRemaining", { reason: "SomeResourcesRemain", message });
  }
  const finalizers = describeFinalizers(remaining);
  if (finalizers.length > 0) {
    const message = `Some content in the namespace has finalizers remaining: ${finalizers.join(", ")}`;
    problems.set("NamespaceFinalizersRemaining", { reason: "SomeFinalizersRemain", message });
  }
  return problems;
}

/** The core group has no name, and yet its dot. */
function describeContent({ kind: { definition }, objects }: NamespaceContent): string {
  return `${definition.plural}.${definition.group} has ${objects.length} resource instances`;
}

function describeFinalizers(remaining: readonly NamespaceContent[]): readonly string[] {
  const names = remaining.flatMap(({ objects }) => objects.flatMap(({ metadata }) => metadata?.finalizers ?? []));
  const counted = Map.groupBy(names, (name) => name);
  return Array.from(counted, ([name, { length }]) => `${name} in ${length} resource instances`).toSorted();
}
