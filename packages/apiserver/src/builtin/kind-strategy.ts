/**
 * The strategy of a built-in kind: what all of them have in common, around what is particular to one. Objects look as
 * if Go had decoded and encoded them, defaults are filled in, new objects come without a status, and values of
 * enumerations are checked. strategies.ts makes one per kind.
 */
import {
  groupVersionKindOf,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  mapItems,
  setKey,
} from "@kubewright/core/meta";
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
    written: writeObject,
    prepareForCreate(object, context) {
      const wiped = wipesStatus ? withFields(object, { status: undefined }) : object;
      const prepared = particulars.prepareForCreate?.(wiped, context) ?? wiped;
      return prepared === object ? object : fillObject(prepared, object);
    },
    prepareForUpdate(next, current, context) {
      const prepared = particulars.prepareForUpdate?.(next, current, context) ?? next;
      return prepared === next ? next : fillObject(prepared, current);
    },
    ...(particulars.warnings && {
      warnings: (object: ApiObject, current: ApiObject | undefined) =>
        particulars.warnings?.(contentWithoutNulls(object), current) ?? [],
    }),
    validate: (object, current, context) => {
      const given = contentWithoutNulls(object);
      const before = current === undefined ? undefined : contentWithoutNulls(current);
      return [...validateEnums(given), ...(particulars.validate?.(given, before, context) ?? [])];
    },
  };
}

/** An object of a built-in kind as it comes back from Kubernetes' storage. */
function writeObject(object: ApiObject, known?: ApiObject): ApiObject {
  const written = kindTables().withZeroValues(groupVersionKindOf(object), object, known) as ApiObject;
  return HOLDS_ANYTHING.has(object.kind) ? written : withoutEmptyLists(written, known);
}

/** Kinds with parts of any form, which stay as they are. */
const HOLDS_ANYTHING = new Set(["ControllerRevision", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"]);

/** Kubernetes' storage does not tell an empty list from none, so what is read back has null where Go must write one. */
function withoutEmptyLists(object: ApiObject, known: ApiObject | undefined): ApiObject {
  return mapFields(object, (value, name) =>
    name === "metadata" || value === known?.[name] ? value : nullEmptyLists(value),
  ) as ApiObject;
}

function nullEmptyLists(value: Json): Json {
  if (isJsonArray(value)) return value.length === 0 ? null : mapItems(value, nullEmptyLists);
  return isJsonObject(value) ? mapFields(value, nullEmptyLists) : value;
}

/** Null is how Go writes what is not there, so validation need not know it; of metadata it never writes any. */
function contentWithoutNulls(object: ApiObject): ApiObject {
  return mapFields(object, (value) => (value === object.metadata ? value : presentOnly(value))) as ApiObject;
}

/** The same value when it has no nulls. */
function withoutNulls(value: Json): Json {
  if (isJsonArray(value)) return mapItems(value, withoutNulls);
  return isJsonObject(value) ? mapFields(value, presentOnly) : value;
}

function presentOnly(value: Json): Json | undefined {
  return value === null ? undefined : withoutNulls(value);
}

/** The same object when no field changes; a field that becomes undefined goes. */
function mapFields(object: JsonObject, change: (value: Json, name: string) => Json | undefined): JsonObject {
  let changed: MutableJsonObject | undefined;
  for (const name of Object.keys(object)) {
    const before = object[name];
    if (typeof before !== "object") continue; // Text, numbers and flags stay.
    const after = before === undefined ? undefined : change(before, name);
    if (after === before) continue;
    changed ??= { ...object };
    if (after === undefined) delete changed[name];
    else setKey(changed, name, after);
  }
  return changed ?? object;
}

/** An object of a built-in kind with its defaults. */
function fillObject(object: ApiObject, known?: ApiObject): ApiObject {
  return kindTables().fillDefaults(groupVersionKindOf(object), object, known) as ApiObject;
}

/** An object of a built-in kind with its defaults, as Kubernetes would store it. */
export function settleObject(object: ApiObject): ApiObject {
  return writeObject(fillObject(object));
}
