/**
 * The change that makes a status what it should be, as a merge patch, or undefined when it is so already. Pure. Conditions keep
 * their transition time while their status stays the same, and conditions of others stay, also where a controller states none of its own:
 * by the conventions of Kubernetes several write them. Their messages are made printable: they often quote what users wrote.
 */
import { type Condition, deepEqual, type KubernetesObject, mergeConditions } from "@kubewright/core/meta";
import { printable } from "../events/printable.ts";
import type { ConditionInput } from "./define-controller.ts";

/** The API server's limit of a condition's message. */
const MESSAGE_BYTES_MAX = 32_768;

type Fields = Readonly<Record<string, unknown>>;

/** What the patch is made from. */
export interface StatusPatchInput {
  readonly object: KubernetesObject;
  /** The whole status as it should be, conditions of others apart. */
  readonly wanted: Fields;
  /** Milliseconds since the epoch, for conditions that change. */
  readonly nowMs: number;
  /** Whether the kind keeps `status.observedGeneration`. */
  readonly observedGeneration: boolean;
  /** The generation that `wanted` was made from. @default the object's */
  readonly generation?: number | undefined;
}

/** The status part of a merge patch, or undefined when nothing is to be changed. */
export function statusPatch(input: StatusPatchInput): Fields | undefined {
  const current = statusOf(input.object);
  return changesOf(current, completeStatus(input, current));
}

/** The merge patch from one object to the other. Merging keeps what is not named, so what is no longer stated is removed at every depth. */
function changesOf(current: Fields, target: Fields): Fields | undefined {
  const changes: [field: string, value: unknown][] = [];
  for (const field of Object.keys(target)) {
    const value = target[field];
    const known = ownField(current, field);
    if (value === undefined || (value ?? undefined) === (known ?? undefined) || deepEqual(value, known)) continue;
    const change = isFields(value) && isFields(known) ? changesOf(known, value) : value;
    if (change !== undefined) changes.push([field, change]);
  }
  for (const field of Object.keys(current)) if (ownField(target, field) === undefined) changes.push([field, null]);
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function ownField(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function completeStatus(input: StatusPatchInput, current: Fields): Fields {
  const { generation = input.object.metadata?.generation } = input;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const conditions = completeConditions(input, current, observed);
  return { ...input.wanted, conditions, ...(input.observedGeneration ? observed : {}) };
}

function completeConditions({ wanted, nowMs }: StatusPatchInput, current: Fields, observed: object): unknown {
  const { conditions } = wanted;
  if (conditions === undefined) return current["conditions"]; // They are all somebody else's.
  return Array.isArray(conditions)
    ? mergeConditions(conditionsOf(current), stated(conditions, observed), nowMs)
    : conditions;
}

function stated(conditions: readonly ConditionInput[], observed: object): readonly ConditionInput[] {
  return conditions.map((condition) => ({
    ...condition,
    message: printable(condition.message, MESSAGE_BYTES_MAX),
    ...observed,
  }));
}

function statusOf(object: KubernetesObject): Fields {
  return "status" in object && isFields(object.status) ? object.status : {};
}

function conditionsOf(status: Fields): readonly Condition[] {
  return Array.isArray(status["conditions"]) ? status["conditions"] : [];
}
