/**
 * Fields for what many resources hand on to the containers they run: environment and resources, as `core/v1` has them.
 * Their values fit into a container of a pod template as they are.
 */
import { isJsonObject } from "../meta/json.ts";
import { createField, type Field } from "./field.ts";
import { QUANTITY_SCHEMA } from "./fields.ts";
import type { StructuralSchema } from "./structural.ts";

/** Where the value of a variable comes from: one key of an object in the same namespace. */
export interface KeyReference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** One environment variable of a container. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly configMapKeyRef?: KeyReference; readonly secretKeyRef?: KeyReference };
}

/** What a container may use and what is set aside for it, by name of the resource. */
export interface ContainerResources {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

/**
 * The environment of a container: variables with a value, or with a key of a ConfigMap or Secret.
 * @example env: containerEnv().optional()
 */
export function containerEnv(): Field<EnvironmentVariable[]> {
  const problem = (value: unknown) => (Array.isArray(value) ? undefined : "expected a list of variables");
  return createField({ schema: ENVIRONMENT, presence: "required", problem });
}

/**
 * The limits and requests of a container.
 * @example resources: containerResources().optional()
 */
export function containerResources(): Field<ContainerResources> {
  const amounts: StructuralSchema = { type: "object", additionalProperties: QUANTITY_SCHEMA };
  const schema: StructuralSchema = { type: "object", properties: { limits: amounts, requests: amounts } };
  const problem = (value: unknown) => (isJsonObject(value) ? undefined : "expected limits and requests");
  return createField({ schema, presence: "required", problem });
}

const KEY_REFERENCE: StructuralSchema = {
  type: "object",
  required: ["key", "name"],
  properties: {
    key: { type: "string", minLength: 1 },
    name: { type: "string", minLength: 1 },
    optional: { type: "boolean" },
  },
  "x-kubernetes-map-type": "atomic",
};

const ENVIRONMENT: StructuralSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1 },
      value: { type: "string" },
      valueFrom: {
        type: "object",
        properties: { configMapKeyRef: KEY_REFERENCE, secretKeyRef: KEY_REFERENCE },
      },
    },
  },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};
