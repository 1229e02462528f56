/**
 * The strategy of a built-in kind: what all of them have in common, around what is particular to one. Objects look as
 * if Go had decoded and encoded them, defaults are filled in, new objects come without a status, and values of
 * enumerations are checked. strategies.ts makes one per kind.
 */
import { groupVersionKindOf, isJsonObject } from "@kubewright/core/meta";
import { type ApiObject, withFields } from "../resource/object.ts";
import type { Strategy } from "../resource/strategy.ts";
import { kindTables, loadKindTables } from "./kind-tables.ts";
import { validateEnums } from "./validation/enums.ts";

/** What is particular to a built-in kind; what it leaves out is done as for all of them. */
export interface KindParticulars extends Omit<Strategy, "applyDefaults"> {
  /** True when clients may set the status of a new object. @default false */
  readonly keepsStatus?: boolean;
}

/** The strategy of a kind with a status subresource (`hasStatus`) or without. */
export function kindStrategy(hasStatus: boolean, { keepsStatus = false, ...particulars }: KindParticulars): Strategy {
  const wipesStatus = hasStatus && !keepsStatus;
  return {
    ...particulars,
    async load() {
      await loadKindTables();
      await particulars.load?.();
    },
    applyDefaults: fillObject,
    prepareForCreate(object, context) {
      const wiped = wipesStatus ? withoutStatus(object) : object;
      const prepared = particulars.prepareForCreate?.(wiped, context) ?? wiped;
      return prepared === object ? object : fillObject(prepared, object);
    },
    prepareForUpdate(next, current, context) {
      const prepared = particulars.prepareForUpdate?.(next, current, context) ?? next;
      return prepared === next ? next : fillObject(prepared, current);
    },
    validate(object, current, context) {
      const errors = validateEnums(object, current);
      const others = particulars.validate?.(object, current, context) ?? [];
      return others.length === 0 ? errors : [...errors, ...others];
    },
  };
}

/** A status with nothing in it is none. */
function withoutStatus(object: ApiObject): ApiObject {
  const { status } = object;
  return isJsonObject(status) && Object.keys(status).length === 0 ? object : withFields(object, { status: undefined });
}

/** An object of a built-in kind with its defaults. */
function fillObject(object: ApiObject, known?: ApiObject): ApiObject {
  return kindTables().fillDefaults(groupVersionKindOf(object), object, known) as ApiObject;
}

/** An object of a built-in kind with its defaults, as Kubernetes would store it. */
export function settleObject(object: ApiObject): ApiObject {
  const filled = fillObject(object);
  return kindTables().asStored(groupVersionKindOf(filled), filled) as ApiObject;
}
