/** The schema of ObjectMeta as apply sees it; CRDs leave it out, and it is the same for every kind. */
import type { StructuralSchema } from "../../schema/structural.ts";

const text: StructuralSchema = { type: "string" };
const time: StructuralSchema = { type: "string", format: "date-time" };
const integer: StructuralSchema = { type: "integer" };
const flag: StructuralSchema = { type: "boolean" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };

/** Schema of `metadata`. */
export const objectMetaSchema: StructuralSchema = {
  type: "object",
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: time,
    finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    generateName: text,
    generation: integer,
    labels: texts,
    managedFields: {
      type: "array",
      "x-kubernetes-list-type": "atomic",
      items: {
        type: "object",
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: "object" },
          manager: text,
          operation: text,
          subresource: text,
          time,
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      items: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        properties: {
          apiVersion: text,
          blockOwnerDeletion: flag,
          controller: flag,
          kind: text,
          name: text,
          uid: { type: "string", default: "" },
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
