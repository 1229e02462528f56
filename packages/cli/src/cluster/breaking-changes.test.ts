import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crd, defineResource, toCrd } from "@kubewright/core/schema";
import { z } from "zod";
import { breakingChanges } from "./breaking-changes.ts";

function crdOf(spec: z.ZodObject, version = "v1"): Crd {
  return toCrd(defineResource({ group: "g.example.com", version, kind: "Thing", spec }));
}

test("new optional fields and other bounds break nothing", () => {
  const before = crdOf(z.object({ a: z.string() }));
  const after = crdOf(z.object({ a: z.string().min(1), b: z.string().optional(), c: z.string().default("x") }));
  assert.deepEqual(breakingChanges(before, after), []);
});

test("fields that are gone, of another type, or newly required are told with their place", () => {
  const before = crdOf(z.object({ gone: z.string(), changed: z.string(), list: z.array(z.object({ x: z.string() })) }));
  const after = crdOf(z.object({ changed: z.int32(), list: z.array(z.object({})), added: z.string() }));
  assert.deepEqual(breakingChanges(before, after), [
    "Thing v1: spec.added must be given now",
    "Thing v1: spec.gone is gone; stored values of it are dropped",
    "Thing v1: spec.changed was string and is integer now",
    "Thing v1: spec.list[].x is gone; stored values of it are dropped",
  ]);
});

test("a served version that is gone is told", () => {
  const before = crdOf(z.object({}), "v1alpha1");
  assert.deepEqual(breakingChanges(before, crdOf(z.object({}))), ["Thing v1alpha1: the version is gone"]);
});
