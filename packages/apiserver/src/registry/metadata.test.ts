import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import type { StrategyContext } from "../resource/strategy.ts";
import { fillSystemMetadata } from "./metadata.ts";

const context = { random: seededRandom(1), time: "2026-01-01T00:00:00Z" } as StrategyContext;

test("a new object has its identity where Go's fields have it, before what its client gave", () => {
  const given = { generateName: "a-", namespace: "shop", labels: { a: "b" }, ownerReferences: [] };
  const { metadata } = fillSystemMetadata({ apiVersion: "v1", kind: "Pod", metadata: given }, context, true);
  const order = "name generateName namespace uid generation creationTimestamp labels ownerReferences";
  assert.deepEqual(Object.keys(metadata), order.split(" "));
  assert.match(metadata.name ?? "", /^a-[a-z0-9]{5}$/);
  assert.equal(metadata.generation, 1);
});

test("a kind that counts no generations keeps none, and an object without any name gets none", () => {
  const { metadata } = fillSystemMetadata({ apiVersion: "v1", kind: "Secret", metadata: {} }, context, false);
  assert.deepEqual(Object.keys(metadata), ["uid", "creationTimestamp"]);
});
