/**
 * The fields users compose with zod's: what Kubernetes' own types have and schema libraries lack. Each returns a new
 * schema to be described, defaulted or made optional like any other.
 */
import { isJsonObject, type Json } from "../meta/json.ts";
import type { Condition, KubernetesObject } from "../meta/object.ts";
import { createField, type Field } from "./field.ts";
import type { StructuralSchema } from "./structural.ts";

/** A number or a text, as ports and percentages are: `80`, `"http"`, `"25%"`. */
export type IntOrString = number | string;

/** An integer or a string. */
export function intOrString(): Field<IntOrString> {
  return fieldOf(INT_OR_STRING, (value) =>
    typeof value === "string" || Number.isInteger(value) ? undefined : "expected an integer or a string",
  );
}

/** An amount of a resource: `"500m"`, `"1.5Gi"`, `2`. */
export function quantity(): Field<IntOrString> {
  return fieldOf(QUANTITY_SCHEMA, (value) => {
    if (Number.isInteger(value)) return undefined;
    return typeof value === "string" && new RegExp(QUANTITY).test(value) ? undefined : "expected a quantity";
  });
}

/** A 64-bit integer. Values beyond 2^53 are bigints. */
export function int64(): Field<number | bigint> {
  return fieldOf({ type: "integer", format: "int64" }, (value) =>
    typeof value === "bigint" || Number.isInteger(value) ? undefined : "expected an integer",
  );
}

/** A length of time in Go's notation: `"1h30m"`, `"500ms"`. */
export function duration(): Field<string> {
  return fieldOf({ type: "string", format: "duration" }, (value) =>
    typeof value === "string" && DURATION.test(value) ? undefined : 'expected a duration such as "1h30m"',
  );
}

/** A point in time, RFC 3339: `"2030-01-02T15:04:05Z"`. */
export function time(): Field<string> {
  return fieldOf({ type: "string", format: "date-time" }, (value) =>
    typeof value === "string" && !Number.isNaN(Date.parse(value)) ? undefined : "expected an RFC 3339 time",
  );
}

/** Any JSON, stored as it comes: nothing is validated and nothing pruned. */
export function preserveUnknown<Value = Json>(): Field<Value> {
  return fieldOf({ "x-kubernetes-preserve-unknown-fields": true }, () => undefined);
}

/** A whole object of some other kind inside this one; its apiVersion, kind and metadata are checked, the rest is kept. */
export function embeddedResource<Value extends KubernetesObject = KubernetesObject>(): Field<Value> {
  const schema: StructuralSchema = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  return fieldOf(schema, expectObject);
}

/** One condition of a status, as `metav1.Condition`. */
export function condition(): Field<Condition> {
  return fieldOf(CONDITION, expectObject);
}

/** The conditions of a status: a list with one entry per type, merged by type. May be left out. */
export function conditions(): Field<Condition[] | undefined, Condition[] | undefined, "optional"> {
  const schema: StructuralSchema = {
    type: "array",
    items: CONDITION,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
  };
  const problem = (value: unknown) => (Array.isArray(value) ? undefined : "expected a list of conditions");
  return createField({ schema, presence: "optional", problem });
}

const INT_OR_STRING: StructuralSchema = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};

const QUANTITY =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** The schema of a quantity, for fields that hold several. */
export const QUANTITY_SCHEMA: StructuralSchema = { ...INT_OR_STRING, pattern: QUANTITY };

const DURATION = /^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$/;

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

function fieldOf<Value>(schema: StructuralSchema, problem: (value: unknown) => string | undefined): Field<Value> {
  return createField({ schema, presence: "required", problem });
}

function expectObject(value: unknown): string | undefined {
  return isJsonObject(value) ? undefined : "expected an object";
}
