/**
 * The fields users compose with zod's: what Kubernetes' own types have and schema libraries lack. Each returns a new
 * schema to be described, defaulted or made optional like any other.
 */
import type { Condition } from "../meta/object.ts";
import { createField, type Field } from "./field.ts";
import type { StructuralSchema } from "./structural.ts";

/** One condition of a status, as `metav1.Condition`. */
export function condition(): Field<Condition> {
  return createField({ schema: CONDITION, presence: "required", problem: expectObject });
}

/** The conditions of a status: a list with one entry per type, merged by type. May be left out. */
export function conditions(): Field<Condition[] | undefined, Condition[] | undefined, "optional"> {
  return createField({
    schema: {
      type: "array",
      items: CONDITION,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
    presence: "optional",
    problem: (value) => (Array.isArray(value) ? undefined : "expected a list of conditions"),
  });
}

const CONDITION: StructuralSchema = {
  type: "object",
  required: ["lastTransitionTime", "message", "reason", "status", "type"],
  properties: {
    lastTransitionTime: { type: "string", format: "date-time" },
    message: { type: "string", maxLength: 32768 },
    observedGeneration: { type: "integer", format: "int64", minimum: 0 },
    reason: {
      type: "string",
      minLength: 1,
      maxLength: 1024,
      pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    },
    status: { type: "string", enum: ["True", "False", "Unknown"] },
    type: {
      type: "string",
      maxLength: 316,
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
    },
  },
};

function expectObject(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "expected an object";
}
