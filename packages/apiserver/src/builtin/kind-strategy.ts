/**
 * The strategy of a built-in kind: what all of them have in common, around what is particular to one. Objects look as
 * if Go had decoded and encoded them, defaults are filled in, new objects come without a status, and values of
 * enumerations are checked. strategies.ts makes one per kind.
 */
import { createDefaulter } from "@kubewright/api/defaults";
import { withZeroValues } from "@kubewright/api/zero-values";
import { type GroupVersionKind, isMalformed, parseApiVersion } from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../resource/object.ts";
import type { Strategy } from "../resource/strategy.ts";
import { otherRules } from "./defaults/other-rules.ts";
import { podRules } from "./defaults/pod-rules.ts";
import { workloadRules } from "./defaults/workload-rules.ts";
import { validateEnums } from "./validation/enums.ts";

/** What is particular to a built-in kind; what it leaves out is done as for all of them. */
export interface KindParticulars extends Omit<Strategy, "applyDefaults"> {
  /** True when clients may set the status of a new object. @default false */
  readonly keepsStatus?: boolean;
}

const fillDefaults = createDefaulter(new Map([...podRules, ...workloadRules, ...otherRules]));

/** The strategy of a kind with a status subresource (`hasStatus`) or without. */
export function kindStrategy(
  kind: GroupVersionKind,
  hasStatus: boolean,
  { keepsStatus = false, ...particulars }: KindParticulars,
): Strategy {
  const wipesStatus = hasStatus && !keepsStatus;
  return {
    ...particulars,
    applyDefaults: settleObject,
    prepareForCreate(object, context) {
      const wiped = wipesStatus ? withFields(object, { status: undefined }) : object;
      const prepared = particulars.prepareForCreate?.(wiped, context) ?? wiped;
      return prepared === object ? object : settleObject(prepared);
    },
    prepareForUpdate(next, current, context) {
      const prepared = particulars.prepareForUpdate?.(next, current, context) ?? next;
      return prepared === next ? next : settleObject(prepared);
    },
    validate: (object, current, context) => [
      ...validateEnums(kind, object),
      ...(particulars.validate?.(object, current, context) ?? []),
    ],
  };
}

/** An object of a built-in kind with its defaults, as Go would write it. Throws a 400 for what Go could not read. */
export function settleObject(object: ApiObject): ApiObject {
  const { group, version } = parseApiVersion(object.apiVersion);
  const { kind } = object;
  try {
    return withZeroValues(group, version, kind, fillDefaults(group, version, kind, object)) as ApiObject;
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`);
  }
}
