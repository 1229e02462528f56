/**
 * How deep values may nest. Deeper ones are refused where they come in (bodies, patches, what admission makes of them),
 * so that everything behind may walk values by recursion. kube-apiserver draws the line at 10 000; no kind needs more
 * than some dozens.
 */
import { isJsonArray, type Json } from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";

/** The deepest value that is accepted. */
export const NESTING_MAX = 500;

/** The value itself. Throws a 400 when it nests too deep. */
export function requireShallow<Value extends Json>(value: Value): Value {
  if (isDeeperThan(value, NESTING_MAX)) throw badRequest(`exceeded max depth: values nest at most ${NESTING_MAX} deep`);
  return value;
}

/** Goes no deeper than the limit itself. */
function isDeeperThan(value: Json, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depthMax === 0) return true;
  if (isJsonArray(value)) return value.some((item) => isDeeperThan(item, depthMax - 1));
  for (const key in value) {
    const child = value[key];
    if (typeof child === "object" && isDeeperThan(child, depthMax - 1)) return true;
  }
  return false;
}
