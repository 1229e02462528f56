import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { ObjectOf } from "../meta/resource.ts";
import { toCrd } from "./crd.ts";
import { defineResource } from "./define-resource.ts";
import { pluralOf } from "./plural.ts";

const names = { group: "example.com", kind: "Policy" } as const;
const v1alpha1 = defineResource({
  ...names,
  version: "v1alpha1",
  spec: z.object({ size: z.string() }),
  deprecated: true,
});
const v1beta1 = defineResource({ ...names, version: "v1beta1", spec: z.object({ size: z.int32() }), storage: true });
const v1 = defineResource({
  ...names,
  version: "v1",
  spec: z.object({ size: z.int32(), color: z.string().optional() }),
});

test("several versions become one CRD, with the storage version that says so", () => {
  const crd = toCrd([v1alpha1, v1beta1, v1]);
  assert.equal(crd.metadata.name, "policies.example.com");
  assert.deepEqual(
    crd.spec.versions.map(({ name, served, storage, deprecated }) => ({ name, served, storage, deprecated })),
    [
      { name: "v1alpha1", served: true, storage: false, deprecated: true },
      { name: "v1beta1", served: true, storage: true, deprecated: undefined },
      { name: "v1", served: true, storage: false, deprecated: undefined },
    ],
  );
});

test("without a mark the last version is stored", () => {
  assert.deepEqual(
    toCrd([v1alpha1, v1]).spec.versions.map(({ storage }) => storage),
    [false, true],
  );
});

test("versions are converted as the CRD says", () => {
  const webhook = {
    clientConfig: { service: { namespace: "system", name: "webhook", path: "/convert" } },
    conversionReviewVersions: ["v1"],
  };
  const conversion = { strategy: "Webhook", webhook } as const;
  assert.deepEqual(toCrd([v1alpha1, v1], { conversion }).spec.conversion, conversion);
  assert.equal(toCrd(v1).spec.conversion, undefined);
});

test("versions of different kinds do not go together", () => {
  const other = defineResource({ ...names, kind: "Other", version: "v1" });
  assert.throws(
    () => toCrd([v1alpha1, other]),
    /cannot put Policy \(example\.com\/v1alpha1\) and Other \(example\.com\/v1\) in one CRD: kind differs/,
  );
});

test("two storage versions are refused", () => {
  const another = defineResource({ ...names, version: "v2", storage: true });
  assert.throws(() => toCrd([v1beta1, another]), /several storage versions \(v1beta1, v2\); mark one/);
});

test("a version twice is refused", () => {
  assert.throws(() => toCrd([v1, v1]), /version v1 twice/);
});

test("a CRD needs a version", () => {
  assert.throws(() => toCrd([]), /at least one version/);
});

test("a kind may have neither spec nor status", () => {
  const Marker = defineResource({ group: "example.com", version: "v1", kind: "Marker", scope: "Cluster" });
  const marker: ObjectOf<typeof Marker> = { apiVersion: "example.com/v1", kind: "Marker", metadata: { name: "a" } };
  assert.equal(marker.kind, "Marker");
  assert.deepEqual(toCrd(Marker).spec.versions[0]?.schema?.openAPIV3Schema, {
    type: "object",
    properties: { apiVersion: { type: "string" }, kind: { type: "string" }, metadata: { type: "object" } },
  });
});

test("the same definition gives the same text", () => {
  const build = () =>
    JSON.stringify(toCrd(defineResource({ ...names, version: "v1", spec: z.object({ b: z.string(), a: z.int32() }) })));
  assert.equal(build(), build());
});

test("plurals are English", () => {
  const plurals = {
    policy: "policies",
    ingress: "ingresses",
    deploy: "deploys",
    hpa: "hpas",
    box: "boxes",
    batch: "batches",
  };
  for (const [singular, plural] of Object.entries(plurals)) assert.equal(pluralOf(singular), plural);
});
