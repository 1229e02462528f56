import assert from "node:assert/strict";
import { test } from "node:test";
import { deepFreeze } from "./deep.ts";
import type { KubernetesObject } from "./object.ts";
import {
  addOwner,
  getControllerOf,
  isControlledBy,
  isOwnedBy,
  isOwnershipError,
  type OwnershipCode,
  removeOwner,
  setController,
} from "./ownership.ts";

const owner = (name: string, uid: string, namespace?: string): KubernetesObject =>
  deepFreeze({
    apiVersion: "cache.example.com/v1",
    kind: "Memcached",
    metadata: { name, uid, ...(namespace === undefined ? {} : { namespace }) },
  });
const child: KubernetesObject = deepFreeze({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
});
const memcached = owner("a", "uid-a", "shop");

const refuses = (code: OwnershipCode) => (error: unknown) => isOwnershipError(error) && error.code === code;

test("a controller is set with kind, name and uid, and blocks its deletion", () => {
  const owned = setController(child, memcached);
  assert.deepEqual(owned.metadata?.ownerReferences, [
    {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      name: "a",
      uid: "uid-a",
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  assert.ok(isControlledBy(owned, memcached));
  assert.ok(isOwnedBy(owned, memcached));
  assert.equal(getControllerOf(owned)?.uid, "uid-a");
});

test("setting the same controller again gives the same object back", () => {
  const owned = setController(child, memcached);
  assert.equal(setController(owned, memcached), owned);
});

test("an owner that was made again takes over by its new uid, in place", () => {
  const owned = setController(addOwner(setController(child, memcached), owner("other", "uid-o", "shop")), memcached);
  const again = setController(owned, owner("a", "uid-new", "shop"));
  assert.deepEqual(
    again.metadata?.ownerReferences?.map(({ uid }) => uid),
    ["uid-new", "uid-o"],
  );
  assert.equal(isControlledBy(again, memcached), false);
});

test("a second controller is refused and told which one is there", () => {
  const owned = setController(child, memcached);
  assert.throws(() => setController(owned, owner("b", "uid-b", "shop")), {
    code: "AlreadyOwned",
    message:
      'Deployment "shop/web" is already controlled by Memcached "a", so Memcached "shop/b" cannot control it; use another name, or remove that owner first',
  });
});

test("an owner in another namespace is refused, also for a cluster-scoped object", () => {
  const foreign = owner("a", "uid-a", "bank");
  assert.throws(() => setController(child, foreign), refuses("ForeignNamespace"));
  assert.throws(() => addOwner(child, foreign), refuses("ForeignNamespace"));
  const clusterScoped = { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } };
  assert.throws(() => setController(clusterScoped, memcached), refuses("ForeignNamespace"));
});

test("a cluster-scoped owner may own objects everywhere", () => {
  assert.ok(isControlledBy(setController(child, owner("a", "uid-a")), owner("a", "uid-a")));
});

test("an owner without uid is refused, because the reference would name nobody", () => {
  const unsaved = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "shop" } };
  assert.throws(() => setController(child, unsaved), refuses("OwnerNotStored"));
  assert.equal(isControlledBy(child, unsaved), false);
});

test("other owners stand beside the controller and can be removed", () => {
  const other = owner("other", "uid-o", "shop");
  const both = addOwner(setController(child, memcached), other);
  assert.equal(getControllerOf(both)?.name, "a");
  assert.deepEqual(both.metadata?.ownerReferences?.[1], {
    apiVersion: "cache.example.com/v1",
    kind: "Memcached",
    name: "other",
    uid: "uid-o",
  });
  assert.equal(addOwner(both, other), both);
  assert.equal(isOwnedBy(removeOwner(both, other), other), false);
  assert.equal(removeOwner(child, other), child);
});

test("the kind of an owner that does not state it is given", () => {
  const bare = { metadata: { name: "p", uid: "uid-p", namespace: "shop" } };
  const owned = setController(child, bare, {
    kind: { group: "", version: "v1", kind: "Pod" },
    blockOwnerDeletion: false,
  });
  assert.deepEqual(owned.metadata?.ownerReferences, [
    { apiVersion: "v1", kind: "Pod", name: "p", uid: "uid-p", controller: true, blockOwnerDeletion: false },
  ]);
});
