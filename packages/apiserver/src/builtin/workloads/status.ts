/** Counts in the status of workloads. */
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";
import { validateNonNegative } from "../validation/fields.ts";

const PARTS = ["fullyLabeledReplicas", "updatedReplicas", "currentReplicas", "readyReplicas", "availableReplicas"];

/** No count is negative, parts are at most the whole, and what is available is ready. */
export function validateCounts(field: string, status: object, names: readonly string[]): FieldError[] {
  const counts = status as Readonly<Record<string, number | undefined>>;
  const count = (name: string): number => counts[name] ?? 0;
  return [
    ...["observedGeneration", ...names, "collisionCount"].flatMap((name) =>
      validateNonNegative(`${field}.${name}`, counts[name]),
    ),
    ...names
      .filter((name) => PARTS.includes(name) && count(name) > count("replicas"))
      .map((name) => fieldInvalid(`${field}.${name}`, count(name), "cannot be greater than status.replicas")),
    ...(names.includes("availableReplicas") && count("availableReplicas") > count("readyReplicas")
      ? [fieldInvalid(`${field}.availableReplicas`, count("availableReplicas"), "cannot be greater than readyReplicas")]
      : []),
  ];
}
