import assert from "node:assert/strict";
import { test } from "node:test";
import { fromScaleManagedFields, toScaleManagedFields } from "./scale-fields.ts";

const paths = new Map([["apps/v1", ["spec", "replicas"]]]);
const entry = { operation: "Apply", fieldsType: "FieldsV1", time: "2020-01-01T00:00:00Z" } as const;
const owner = { ...entry, manager: "one", apiVersion: "apps/v1" };
const parent = [{ ...owner, fieldsV1: { "f:spec": { "f:replicas": {}, "f:paused": {} } } }];

test("the owners of replicas are the owners of the scale", () => {
  assert.deepEqual(toScaleManagedFields(parent, paths), [
    { ...owner, apiVersion: "autoscaling/v1", fieldsV1: { "f:spec": { "f:replicas": {} } } },
  ]);
  assert.equal(toScaleManagedFields([{ ...owner, fieldsV1: { "f:spec": { "f:paused": {} } } }], paths), undefined);
});

test("a manager that took replicas through scale gets them in the resource, the former owner keeps the rest", () => {
  const taken = { ...entry, manager: "scaler", apiVersion: "autoscaling/v1", subresource: "scale" };
  const scale = [{ ...taken, fieldsV1: { "f:spec": { "f:replicas": {} } } }];
  assert.deepEqual(fromScaleManagedFields({ parent, scale, apiVersion: "apps/v1", paths }), [
    {
      manager: "scaler",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
      subresource: "scale",
    },
    { ...owner, fieldsV1: { "f:spec": { "f:paused": {} } } },
  ]);
});

test("an owner that still stands in scale keeps its entry, one of an unknown version loses it", () => {
  const scale = toScaleManagedFields(parent, paths);
  const merge = { parent, scale, apiVersion: "apps/v1", paths };
  assert.deepEqual(fromScaleManagedFields({ ...merge, scale: scale as never }), parent);
  assert.equal(fromScaleManagedFields({ ...merge, scale: undefined, paths: new Map() }), undefined);
});
