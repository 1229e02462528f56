/** The reconciles of one object in words: when, how it ended, and why it ran. Pure. */
import { formatDuration } from "@kubewright/core/meta";
import type { Cause, ReconcileRecord } from "@kubewright/runtime";
import { usageError } from "../command/command-error.ts";

const NANOSECONDS_PER_MS = 1_000_000n;

/** Which object is asked for. */
export interface ObjectQuestion {
  /** A kind, a plural or a plural with its group: "Memcached", "memcacheds", "memcacheds.cache.example.com". */
  readonly kind: string;
  readonly name: string;
  /** @default any */
  readonly namespace?: string | undefined;
}

/** Reads "memcached/a". */
export function parseQuestion(text: string, namespace?: string): ObjectQuestion {
  const [, kind, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(text) ?? [];
  if (kind !== undefined && name !== undefined) return { kind, name, namespace };
  throw usageError(`${JSON.stringify(text)} names no object`, "write kind and name: kubewright why memcached/a");
}

/** The reconciles of that object. */
export function reconcilesOf(
  question: ObjectQuestion,
  records: readonly ReconcileRecord[],
): readonly ReconcileRecord[] {
  const kind = question.kind.toLowerCase();
  return records.filter((record) => {
    const { name, namespace } = splitKey(record.key);
    if (name !== question.name || (question.namespace ?? namespace) !== namespace) return false;
    return [record.kind.toLowerCase(), record.resource, record.resource.split(".")[0]].includes(kind);
  });
}

/** Some lines on each reconcile. */
export function explainReconciles(records: readonly ReconcileRecord[]): string {
  return records
    .flatMap((record) => [headline(record), ...record.causes.map((each) => `  ${becauseOf(each)}`)])
    .join("\n");
}

function headline(record: ReconcileRecord): string {
  const at = new Date(record.startedMs).toISOString();
  const attempt = record.attempt > 1 ? `, attempt ${record.attempt}` : "";
  const writes = record.writes === 1 ? "1 write" : `${record.writes || "no"} writes`;
  return `${at}  ${record.kind} ${record.key}${attempt}: ${ending(record)} (${record.durationMs.toFixed(0)} ms, ${writes})`;
}

function ending({ result, reason, delayMs }: ReconcileRecord): string {
  switch (result) {
    case "done":
      return "done";
    case "gone":
      return "nothing to do, the object is gone";
    case "after":
      return `done, looks again after ${formatDuration(BigInt(Math.round(delayMs ?? 0)) * NANOSECONDS_PER_MS)}`;
    case "retry":
      return `tries again: ${reason}`;
    case "terminal":
      return `failed for good: ${reason}`;
  }
}

/** Why a reconcile ran. */
function becauseOf(cause: Cause): string {
  switch (cause.kind) {
    case "added":
    case "deleted":
      return `because ${cause.resource} ${cause.key} was ${cause.kind}`;
    case "updated":
      return `because ${cause.resource} ${cause.key} changed${cause.fields ? `: ${cause.fields.join(", ")}` : ""}`;
    case "resync":
      return `because ${cause.resource} ${cause.key} was there when the operator started`;
    case "requeue":
      return "because it asked to look again";
    case "retry":
      return `because it failed before: ${cause.reason}`;
    case "source":
      return `because the source ${cause.source} said so`;
  }
}

function splitKey(key: string): { readonly name: string; readonly namespace?: string } {
  const slash = key.indexOf("/");
  return slash === -1 ? { name: key } : { name: key.slice(slash + 1), namespace: key.slice(0, slash) };
}
