import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubernetesObject } from "@kubewright/core/meta";
import type { InformerEvent } from "../cache/informer-options.ts";
import { unstructured } from "../client/definitions.ts";
import { type OwnedChange, OwnWrites } from "./own-writes.ts";

const definition = unstructured({ group: "g", version: "v1", kind: "Thing", plural: "things", scope: "Namespaced" });
const other = unstructured({ group: "g", version: "v1", kind: "Other", plural: "others", scope: "Namespaced" });

function state(resourceVersion: string, generation = 1): KubernetesObject {
  return { metadata: { name: "a", uid: "u", resourceVersion, generation } };
}

function change(object: KubernetesObject): OwnedChange {
  const { metadata: identity = {} } = object;
  const event: InformerEvent = { type: "updated", key: "a", identity, object, previous: state("1"), initial: false };
  return { definition, event };
}

test("a change is kept back when its version is one that a reconcile wrote, whichever comes first", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  assert.ok(own.keepsBack("a", change(state("2"))));
  own.noteItself("a", definition, state("2"));
  own.noteItself("a", definition, state("3"));
  assert.equal(own.noted("a"), 2);
  assert.deepEqual(own.end("a"), []);
  assert.ok(own.keepsBack("a", change(state("3"))));
  assert.ok(!own.keepsBack("a", change(state("4"))));
});

test("what others changed meanwhile is told at the end", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  const foreign = change(state("2"));
  assert.ok(own.keepsBack("a", foreign));
  own.noteItself("a", definition, state("3"));
  assert.ok(own.keepsBack("a", change(state("3"))));
  assert.deepEqual(own.end("a"), [foreign]);
});

test("an own write that holds a new generation is not taken for the controller's own", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.noteItself("a", definition, state("3", 2));
  own.end("a");
  assert.ok(!own.keepsBack("a", change(state("3", 2))));
});

test("what was written for one object is news to another", () => {
  const own = new OwnWrites();
  own.begin("parent", state("1"));
  own.note("parent", definition, state("2"));
  own.end("parent");
  assert.ok(!own.keepsBack("a", change(state("2"))));
  assert.ok(own.keepsBack("parent", change(state("2"))));
});

test("a version is own for its kind only, and once", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.note("a", definition, state("2"));
  own.end("a");
  assert.ok(!own.keepsBack("a", { ...change(state("2")), definition: other }));
  assert.ok(own.keepsBack("a", change(state("2"))));
  assert.ok(!own.keepsBack("a", change(state("2"))));
});

test("the end of what was written is nobody's own, although it comes with the state that was", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.note("a", definition, state("2"));
  const { event } = change(state("2"));
  const ended: OwnedChange = { definition, event: { ...event, type: "deleted" } };
  assert.ok(own.keepsBack("a", ended));
  assert.deepEqual(own.end("a"), [ended]);
  assert.ok(!own.keepsBack("a", ended));
});

test("what a list brings is nobody's own: others may have written before", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  own.note("a", definition, state("2"));
  own.end("a");
  const { event } = change(state("2"));
  assert.ok(!own.keepsBack("a", { definition, event: { ...event, listed: true } }));
});

test("of a reconcile that takes long a few changes are kept back, and those after them are not", () => {
  const own = new OwnWrites();
  own.begin("a", state("1"));
  const kept = Array.from({ length: 20 }, (_, index) => own.keepsBack("a", change(state(String(index + 2)))));
  assert.deepEqual(kept, [...Array<boolean>(8).fill(true), ...Array<boolean>(12).fill(false)]);
  assert.equal(own.end("a").length, 8);
});

test("writes whose change never comes are forgotten, the oldest first", () => {
  const own = new OwnWrites();
  for (let version = 1; version <= 1025; version++) own.note("a", definition, state(String(version)));
  assert.ok(!own.keepsBack("a", change(state("1"))));
  assert.ok(own.keepsBack("a", change(state("2"))));
});
