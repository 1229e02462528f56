/** Completion indexes of Indexed Jobs: their text form ("0-3,7") and which index a pod has. Pure. */
import type { Pod } from "@kubewright/api/core/v1";

/** Annotation and label with the index of a pod. */
export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

/** The index of a pod, or undefined when it has none below `completions`. */
export function completionIndexOf(pod: Pod, completions: number): number | undefined {
  const text = pod.metadata?.annotations?.[COMPLETION_INDEX] ?? "";
  const index = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return index < completions ? index : undefined;
}

/** "0-3,7" as a set; what is not below `completions` is left out. */
export function parseIndexes(text: string | undefined, completions: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    for (let index = first; index <= last && index < completions; index++) indexes.add(index);
  }
  return indexes;
}

/** A set of indexes as "0-3,7": runs of two are written one by one, as Kubernetes does. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const runs: { first: number; last: number }[] = [];
  for (const index of [...indexes].sort((left, right) => left - right)) {
    const run = runs.at(-1);
    if (run !== undefined && run.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(formatRun).join(",");
}

function formatRun({ first, last }: { readonly first: number; readonly last: number }): string {
  if (first === last) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
