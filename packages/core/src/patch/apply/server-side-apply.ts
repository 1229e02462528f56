/**
 * Server-side apply (KEP-555): merges a configuration into the stored object and settles who owns what. The API server
 * calls `applyServerSide` with the stored object, the configuration and the kind's schema and stores what it returns,
 * `metadata.managedFields` included; it is the stored object itself when nothing changes.
 */

import { deepEqual } from "../../meta/deep.ts";
import type { JsonObject } from "../../meta/json.ts";
import { isApiError } from "../../protocol/status.ts";
import { badPatch, patchFailed } from "../patch-error.ts";
import { type Conflict, conflictError } from "./conflict.ts";
import { difference, hasPath, recursiveDifference } from "./field-set.ts";
import { fieldsOfLastApplied, lastAppliedManager, withLastApplied } from "./last-applied.ts";
import { decodeManagers, encodeManagers, identityOf, type Managers, withManager } from "./managers.ts";
import { neverOwned } from "./never-owned.ts";
import { managedFieldsOf, withManagedFields } from "./object-managed-fields.ts";
import { reconcileManagers, shiftOwnership } from "./ownership.ts";
import { emptyObjectLike, ignoredFields, managerOf, type OwnershipOptions, typedIn } from "./ownership-request.ts";
import { prune } from "./prune.ts";
import { updateManagers } from "./track-ownership.ts";
import { fieldsOf } from "./typed-fields.ts";
import { mergeTyped } from "./typed-merge.ts";
import type { TypedObject } from "./typed-object.ts";
import { describeKind, formatProblems, validateTyped } from "./typed-validate.ts";

/** An apply request. */
export interface ApplyOptions extends OwnershipOptions {
  /** The stored object; undefined when there is none yet. */
  readonly live: JsonObject | undefined;
  /** The applied configuration. */
  readonly config: JsonObject;
  /** Take fields from other managers instead of failing with a conflict. @default false */
  readonly force?: boolean;
}

/**
 * Applies a configuration and returns the object to store. Throws an `ApiError`: 409 with a cause per field when other
 * managers own what would change, 400 for a configuration that may not be applied, 500 where it does not fit the schema.
 */
export function applyServerSide(options: ApplyOptions): JsonObject {
  const { config, live = emptyObjectLike(config, options) } = options;
  checkConfig(live, options);
  const managers = decodeLiveManagers(live);
  const owners = managers.size > 0 ? managers : trackedBeforeFirstApply(live, options);
  if (managedFieldsOf(config) !== undefined) throw badPatch("metadata.managedFields must be nil");
  const { object, managers: next } = applyTo(live, owners, options);
  const annotated = options.manager === lastAppliedManager ? withLastApplied(object, config) : object;
  return withManagedFields(annotated, encodeManagers(next));
}

interface Applied {
  readonly object: JsonObject;
  readonly managers: Managers;
}

function applyTo(live: JsonObject, managers: Managers, options: ApplyOptions): Applied {
  const outcome = attemptApply(live, managers, options);
  if (options.force === true || outcome.conflicts.length === 0) return outcome;
  const allowed = options.manager === lastAppliedManager ? fieldsOfLastApplied(outcome.liveTyped) : undefined;
  const conflicts = outcome.conflicts.filter(({ path }) => allowed === undefined || !hasPath(allowed, path));
  if (conflicts.length > 0) throw conflictError(conflicts);
  return outcome;
}

interface Attempt extends Applied {
  readonly conflicts: readonly Conflict[];
  readonly liveTyped: TypedObject;
}

/** Merge, own, prune, compare. The result holds as if forced; whether conflicts matter is the caller's question. */
function attemptApply(live: JsonObject, owners: Managers, options: ApplyOptions): Attempt {
  const { config, converter } = options;
  const configTyped = typedIn(config, options, { duplicates: false, what: "failed to create typed patch object" });
  const liveTyped = typedIn(live, options, { duplicates: true, what: "failed to create typed live object" });
  const managers = reconcileManagers(owners, liveTyped, converter);
  const self = managerOf(options, "Apply");
  const id = identityOf(self);
  const last = managers.get(id);
  const ignored = ignoredFields(options);
  const next = recursiveDifference(fieldsOf(config, configTyped.view), ignored);
  const claimed = new Map(managers).set(id, { ...self, time: last?.time, fields: next });
  const merged = { ...liveTyped, object: mergeTyped(live, config, liveTyped.view) as JsonObject };
  const after = prune({ merged, managers: claimed, last, next, converter });
  if (after.object !== merged.object) checkPruned(after);
  const shift = shiftOwnership(claimed, { before: liveTyped, after, ignored, converter }, id);
  const isSame = deepEqual(live, after.object);
  const time = isSame ? last?.time : options.now;
  const result = withManager(shift.managers, { ...self, time, fields: difference(next, neverOwned) }, last);
  return { object: isSame ? live : after.object, managers: result, conflicts: shift.conflicts, liveTyped };
}

/** Pruning may take the keys of a list item and leave the rest of it, which then cannot be told from other items. */
function checkPruned({ object, view }: TypedObject): void {
  const problems = validateTyped(object, view, { allowDuplicates: true });
  if (problems.length > 0) throw patchFailed(`failed to compare objects: ${formatProblems(problems)}`);
}

/** Everything that an untracked object holds belongs to "before-first-apply". */
function trackedBeforeFirstApply(live: JsonObject, options: ApplyOptions): Managers {
  const update = { options: { ...options, manager: "before-first-apply" }, managers: new Map() };
  try {
    return updateManagers(emptyObjectLike(live, options), live, update);
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw patchFailed(`failed to create manager for existing fields: ${error.message}`);
  }
}

function checkConfig(live: JsonObject, { config, apiVersion }: ApplyOptions): void {
  if (config["apiVersion"] !== apiVersion || config["kind"] !== live["kind"]) {
    throw badPatch(`invalid object type: ${describeKind(config)}`);
  }
}

function decodeLiveManagers(live: JsonObject): Managers {
  try {
    return decodeManagers(managedFieldsOf(live));
  } catch (error) {
    throw patchFailed(`failed to decode managed fields: ${(error as Error).message}`);
  }
}
