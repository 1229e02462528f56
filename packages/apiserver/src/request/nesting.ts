/**
 * How large bodies may be, and how deep values may nest. Deeper ones are refused where they come in (bodies, patches, what admission makes of them),
 * so that everything behind may walk values by recursion. kube-apiserver draws the line at 10 000; no kind needs more
 * than some dozens.
 */
import { isJsonArray, isMalformed, type Json, ownJson } from "@kubewright/core/meta";
import { badRequest, tooLarge } from "@kubewright/core/protocol";

/** The deepest value that is accepted. */
export const NESTING_MAX = 500;

/** The value itself. Throws a 400 when it nests too deep. */
export function requireShallow<Value extends Json>(value: Value): Value {
  if (isDeeperThan(value, NESTING_MAX)) throw tooDeep();
  return value;
}

/** The largest body that is read. */
export const BODY_BYTES_MAX: number = 3 * 1024 * 1024;

/** A value of a client in the process, as the server's own. Throws a 400 when it nests too deep, a 413 when it is too large. */
export function ownShallow(value: object): Json {
  try {
    return ownJson(value, { depthMax: NESTING_MAX, charactersMax: BODY_BYTES_MAX });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`limit is ${BODY_BYTES_MAX}`);
    throw isMalformed(error) ? tooDeep() : error;
  }
}

function tooDeep(): Error {
  return badRequest(`exceeded max depth: values nest at most ${NESTING_MAX} deep`);
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
