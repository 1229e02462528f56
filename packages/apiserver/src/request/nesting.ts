/**
 * How deep values may nest. Deeper ones are refused where they come in (bodies, patches, what admission makes of them),
 * so that everything behind may walk values by recursion. kube-apiserver draws the line at 10 000; no kind needs more
 * than some dozens.
 */
import type { Json } from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";

/** The deepest value that is accepted. */
export const NESTING_MAX = 500;

/** The value itself. Throws a 400 when it nests too deep. */
export function requireShallow<Value extends Json>(value: Value): Value {
  if (isDeeperThan(value, NESTING_MAX)) throw badRequest(`exceeded max depth: values nest at most ${NESTING_MAX} deep`);
  return value;
}

/** Walks with its own stack, level by level. */
function isDeeperThan(value: Json, depthMax: number): boolean {
  let level: readonly Json[] = [value].filter(isNested);
  for (let depth = 1; depth <= depthMax; depth++) {
    const next: Json[] = [];
    for (const parent of level) {
      for (const child of Object.values(parent as object) as Json[]) if (isNested(child)) next.push(child);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
