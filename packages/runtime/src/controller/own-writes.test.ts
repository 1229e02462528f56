import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject } from "@kubewright/core/meta";
import type { InformerEvent } from "../cache/informer-options.ts";
import { OwnWrites } from "./own-writes.ts";

function state(resourceVersion: string, generation = 1): KubernetesObject {
  return { metadata: { name: "a", uid: "u", resourceVersion, generation } };
}

function update(object: KubernetesObject): InformerEvent {
  const { metadata: identity = {} } = object;
  return { type: "updated", key: "a", identity, object, previous: state("1"), initial: false };
}

test("a change is kept back when its version is one that the last reconcile wrote, whichever comes first", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  assert.ok(own.keepsBack(update(state("2"))));
  own.note("a", state("2"));
  own.note("a", state("3"));
  assert.deepEqual(own.end("a"), []);
  assert.ok(own.keepsBack(update(state("3"))));
  assert.ok(!own.keepsBack(update(state("4"))));
});

test("what others changed meanwhile is told at the end", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  const change = update(state("2"));
  assert.ok(own.keepsBack(change));
  own.note("a", state("3"));
  assert.ok(own.keepsBack(update(state("3"))));
  assert.deepEqual(own.end("a"), [change]);
});

test("an own write that holds a new generation is not taken for the controller's own", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.note("a", state("3", 2));
  own.end("a");
  assert.ok(!own.keepsBack(update(state("3", 2))));
});

test("objects that come, and those that are forgotten, are looked at", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.note("a", state("2"));
  own.end("a");
  assert.ok(!own.keepsBack({ ...update(state("2")), type: "added", previous: undefined, initial: true }));
  own.forget("a");
  assert.ok(!own.keepsBack(update(state("2"))));
});
