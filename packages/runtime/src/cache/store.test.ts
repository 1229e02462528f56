import assert from "node:assert/strict";
import { test } from "node:test";
import { deepFreeze, type KubernetesObject } from "@kubewright/core/meta";
import { Store } from "./store.ts";

function object(name: string, resourceVersion: string, extra: object = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name, resourceVersion, ...extra } };
}

function came(...of: Parameters<typeof object>) {
  return { object: object(...of) };
}

test("a state is never replaced by an older one", () => {
  const store = new Store();
  store.put(came("a", "9"));
  assert.equal(store.put(came("a", "8")), undefined);
  assert.equal(store.get("shop/a")?.metadata?.resourceVersion, "9");
  assert.equal(store.put(came("a", "10"))?.type, "updated");
});

test("R8: an own write is read at once, and handlers hear of it when the watch brings it", () => {
  const store = new Store();
  store.putOwn(object("a", "5"));
  assert.equal(store.get("shop/a")?.metadata?.resourceVersion, "5");
  const change = store.put(came("a", "5"));
  assert.equal(change?.type, "added");
  assert.equal(store.put(came("a", "5")), undefined);
});

test("R8: an own deletion is read at once, and handlers hear of it when the watch brings it", () => {
  const store = new Store();
  store.put(came("a", "5", { uid: "u1" }));
  store.removeOwn("shop/a", "u1");
  assert.equal(store.get("shop/a"), undefined);
  assert.equal(store.remove("shop/a", "6")?.type, "deleted");
});

test("R9: a foreign change behind an own write is told with the state before the own write", () => {
  const store = new Store();
  store.put(came("a", "5", { labels: { by: "start" } }));
  store.putOwn(object("a", "6", { labels: { by: "us" } }));
  const change = store.put(came("a", "7", { labels: { by: "them" } }));
  assert.equal(change?.object.metadata?.labels?.["by"], "them");
  assert.equal(change?.previous?.metadata?.labels?.["by"], "start");
});

test("R9: a foreign change that an own write overtook is told once, and readers keep the newer state", () => {
  const store = new Store();
  store.put(came("a", "5", { labels: { by: "start" } }));
  store.putOwn(object("a", "7", { labels: { by: "us" } }));
  assert.equal(store.put(came("a", "4")), undefined);
  const change = store.put(came("a", "6", { labels: { by: "them" } }));
  assert.deepEqual([change?.type, change?.identity.resourceVersion], ["updated", "6"]);
  assert.equal(change?.previous?.metadata?.labels?.["by"], "start");
  assert.equal(store.get("shop/a")?.metadata?.labels?.["by"], "us");
  assert.equal(store.put(came("a", "6")), undefined);
  assert.equal(store.put(came("a", "7"))?.type, "updated");
  assert.equal(store.put(came("a", "6")), undefined);
});

test("R9: the end of an object that only an own write brought is told, too", () => {
  const store = new Store();
  store.putOwn(object("a", "5"));
  assert.equal(store.remove("shop/a", "6")?.type, "deleted");
});

test("R8: the late answer to a write that ended an object does not bring it back", () => {
  const store = new Store();
  store.put(came("a", "5", { finalizers: ["f"] }));
  store.remove("shop/a", "7");
  store.putOwn(object("a", "7"));
  assert.equal(store.get("shop/a"), undefined);
  store.putOwn(object("a", "8"));
  assert.equal(store.get("shop/a")?.metadata?.resourceVersion, "8");
});

test("a deletion older than what is known leaves the newer object alone", () => {
  const store = new Store();
  store.putOwn(object("a", "12"));
  assert.equal(store.remove("shop/a", "11"), undefined);
  assert.equal(store.get("shop/a")?.metadata?.resourceVersion, "12");
});

test("R12: what is read is frozen through and through", () => {
  const store = new Store();
  store.put(came("a", "1", { labels: { app: "web" } }));
  const read = store.get("shop/a");
  assert.throws(() => Object.assign(read?.metadata?.labels ?? {}, { app: "other" }), TypeError);
});

test("an index follows its objects through changes and deletions", () => {
  const store = new Store({ indexes: { app: (item) => [item.metadata?.labels?.["app"] ?? ""] } });
  const names = (value: string): (string | undefined)[] =>
    store.byIndex("app", value).map((item) => item.metadata?.name);
  store.put(came("a", "1", { labels: { app: "web" } }));
  store.put(came("b", "2", { labels: { app: "web" } }));
  assert.deepEqual(names("web"), ["a", "b"]);
  store.put(came("a", "3", { labels: { app: "api" } }));
  assert.deepEqual(names("web"), ["b"]);
  assert.deepEqual(names("api"), ["a"]);
  store.remove("shop/b", "4");
  assert.deepEqual(names("web"), []);
});

test("an index that nobody declared is an error that says so", () => {
  assert.throws(() => new Store().byIndex("app", "web"), /no index "app"/);
});

test("more objects than are kept decoded are all readable", () => {
  const store = new Store();
  for (let count = 0; count < 3000; count++) store.put(came(`n${count}`, String(count + 1)));
  assert.equal([...store.values()].length, 3000);
  assert.equal(store.get("shop/n0")?.metadata?.resourceVersion, "1");
});

/** An object as text, and how often somebody had it decoded. */
/** A reference to a controlling owner. */
function ownedBy(uid: string) {
  return { apiVersion: "v1", kind: "Owner", name: "owner", uid, controller: true };
}

function arrival(of: KubernetesObject) {
  const text = JSON.stringify(of);
  let reads = 0;
  return {
    identity: of.metadata ?? {},
    text,
    get object(): KubernetesObject {
      reads += 1;
      return JSON.parse(text) as KubernetesObject;
    },
    get reads() {
      return reads;
    },
  };
}

test("objects that came as text are decoded when they are read", () => {
  const store = new Store();
  const text = arrival(object("a", "1", { uid: "u", ownerReferences: [ownedBy("o")] }));
  const told = store.put(text, { initial: true });
  assert.deepEqual([told?.type, told?.key, told?.identity.name, text.reads], ["added", "shop/a", "a", 0]);
  assert.deepEqual(store.ownedBy("o"), [object("a", "1", { uid: "u", ownerReferences: [ownedBy("o")] })]);
  assert.equal(text.reads, 0);
  assert.ok(Object.isFrozen(told?.object.metadata));
  assert.equal(store.put(came("a", "2"))?.previous?.metadata?.uid, "u");
});

test("an object that goes is not decoded unless somebody asks for its states, and then both are right", () => {
  const store = new Store();
  const ownerReferences = [ownedBy("o")];
  store.put(arrival(object("a", "1", { ownerReferences, labels: { by: "start" } })), { initial: true });
  const last = arrival(object("a", "2", { ownerReferences, labels: { by: "end" } }));
  const told = store.remove("shop/a", "2", last);
  assert.deepEqual(
    [told?.type, told?.keepsOwner, told?.identity.resourceVersion, last.reads],
    ["deleted", true, "2", 0],
  );
  assert.deepEqual([store.ownedBy("o"), store.get("shop/a")], [[], undefined]);
  assert.equal(told?.previous?.metadata?.labels?.["by"], "start");
  assert.equal(told?.object.metadata?.labels?.["by"], "end");
  assert.ok(Object.isFrozen(told?.previous?.metadata?.labels) && Object.isFrozen(told?.object.metadata?.labels));
});

test("a change tells that the owner is the same only where that is known", () => {
  const owned = (version: string, uid: string): KubernetesObject =>
    object("a", version, { ownerReferences: [ownedBy(uid)] });
  const store = new Store();
  store.put({ object: owned("1", "o") });
  assert.equal(store.put({ object: owned("2", "o") })?.keepsOwner, true);
  assert.equal(store.put({ object: owned("3", "p") })?.keepsOwner, false);
  assert.deepEqual([store.ownedBy("o").length, store.ownedBy("p").length], [0, 1]);
  store.putOwn(owned("4", "q")); // Nobody was told of it.
  assert.equal(store.put({ object: owned("5", "q") })?.keepsOwner, false);
  store.putOwn(owned("6", "r"));
  assert.equal(store.remove("shop/a", "7", { object: owned("7", "r") })?.keepsOwner, false);
  assert.deepEqual([store.ownedBy("q"), store.ownedBy("r")], [[], []]);
});

test("R12: what came as text, or became text meanwhile, is frozen through and through, too", () => {
  const store = new Store();
  store.put(arrival(object("a", "1", { labels: { app: "web" } })), { initial: true });
  store.put(came("b", "2", { labels: { app: "web" } }));
  for (let count = 0; count < 600; count++) store.put(came(`c${count}`, String(count + 3))); // None else stays decoded.
  for (const key of ["shop/a", "shop/b"]) {
    const read = store.get(key);
    assert.ok(Object.isFrozen(read) && Object.isFrozen(read?.metadata) && Object.isFrozen(read?.metadata?.labels), key);
  }
});

test("an object that came as text is found by every index", () => {
  const store = new Store({ indexes: { app: (item) => [item.metadata?.labels?.["app"] ?? ""] } });
  store.put(arrival(object("a", "1", { labels: { app: "web" } })), { initial: true });
  assert.equal(store.byIndex("app", "web").length, 1);
  store.remove("shop/a", "2");
  assert.equal(store.byIndex("app", "web").length, 0);
});

test("namespaces, and objects without a value in an index, are known from the first question on and stay right", () => {
  const store = new Store({ indexes: { app: ({ metadata }) => Object.values(metadata?.labels ?? {}) } });
  const names = (objects: readonly KubernetesObject[]): unknown[] => objects.map(({ metadata }) => metadata?.name);
  store.put(came("a", "1"));
  store.put(came("b", "2", { labels: { app: "web" } }));
  assert.deepEqual([names(store.withoutIndex("app")), names(store.inNamespace("shop"))], [["a"], ["a", "b"]]);
  store.put(arrival(object("c", "3")), { initial: true });
  store.put(came("a", "4", { labels: { app: "web" } }));
  assert.deepEqual([names(store.withoutIndex("app")), names(store.inNamespace("shop"))], [["c"], ["a", "b", "c"]]);
  for (const name of ["a", "b", "c"]) store.remove(`shop/${name}`, "5");
  assert.deepEqual([store.withoutIndex("app"), store.inNamespace("shop")], [[], []]);
});

test("objects without an owner are known from the first question on and stay right", () => {
  const store = new Store();
  const names = (): unknown[] => store.ownedByNobody().map(({ metadata }) => metadata?.name);
  store.put(came("a", "1"));
  store.put(came("b", "2", { ownerReferences: [ownedBy("o")] }));
  assert.deepEqual(names(), ["a"]);
  store.put(arrival(object("c", "3")), { initial: true });
  store.put(came("a", "4", { ownerReferences: [ownedBy("o")] }));
  assert.deepEqual(names(), ["c"]);
  store.remove("shop/c", "5");
  store.put(came("b", "6"));
  assert.deepEqual(names(), ["b"]);
});

test("the echo of an own write is not decoded unless somebody asks for it", () => {
  const store = new Store();
  store.putOwn(object("a", "5"));
  const echo = arrival(object("a", "5"));
  const told = store.put(echo);
  assert.deepEqual(
    [told?.type, told?.key, store.get("shop/a") !== undefined, echo.reads],
    ["added", "shop/a", true, 0],
  );
  assert.equal(told?.object.metadata?.resourceVersion, "5");
});

test("a text behind an own write of the same version is told, and stays readable", () => {
  const store = new Store();
  store.putOwn(object("a", "5"));
  assert.equal(store.put(arrival(object("a", "5")), { initial: true })?.type, "added");
  assert.equal(store.get("shop/a")?.metadata?.resourceVersion, "5");
});

test("an index keeps one key as well as many, and none when all are gone", () => {
  const store = new Store({ indexes: { app: (item) => [item.metadata?.labels?.["app"] ?? ""] } });
  const count = (): number => store.byIndex("app", "web").length;
  for (const name of ["a", "b", "c"]) store.put(came(name, "1", { labels: { app: "web" } }));
  assert.equal(count(), 3);
  for (const name of ["b", "a", "c"]) store.remove(`shop/${name}`, "2");
  assert.equal(count(), 0);
  store.put(came("d", "3", { labels: { app: "web" } }));
  assert.equal(count(), 1);
});

test("what a server in this process hands over is kept as it is, however much came after it; all else becomes text", () => {
  const store = new Store();
  const [shared, own] = [deepFreeze(object("shared", "1")), object("own", "1")];
  for (const each of [shared, own]) store.put({ object: each });
  for (let count = 0; count < 1000; count++) store.put(came(`later-${count}`, "2"));
  assert.equal(store.get("shop/shared"), shared);
  assert.notEqual(store.get("shop/own"), own);
  assert.deepEqual(store.get("shop/own"), own);
});

test("R8: a foreign change from before an own deletion does not bring the object back", () => {
  const store = new Store<KubernetesObject>();
  const state = (resourceVersion: string, more: object = {}): KubernetesObject => ({
    metadata: { name: "a", namespace: "x", uid: "u1", resourceVersion, ...more },
  });
  store.put({ object: state("1") });
  store.removeOwn("x/a", "u1"); // At version 3; somebody wrote version 2 meanwhile.
  const change = store.put({ object: state("2") });
  assert.equal(change?.type, "updated");
  assert.equal(store.get("x/a"), undefined);
  assert.equal(store.remove("x/a", "3", { object: state("3") })?.type, "deleted");
  store.put({ object: state("4", { uid: "u2" }) });
  assert.equal(store.get("x/a")?.metadata?.uid, "u2");
});

test("an object under the name of one that we deleted, or that is still ending, is read", () => {
  const store = new Store<KubernetesObject>();
  const state = (resourceVersion: string, more: object = {}): KubernetesObject => ({
    metadata: { name: "a", namespace: "x", uid: "u1", resourceVersion, ...more },
  });
  store.put({ object: state("1") });
  store.removeOwn("x/a", "u1");
  store.put({ object: state("2", { deletionTimestamp: "2026-01-01T00:00:00Z" }) });
  assert.equal(store.get("x/a")?.metadata?.resourceVersion, "2");
  store.removeOwn("x/a", "u1");
  store.put({ object: state("5", { uid: "u2" }) });
  assert.equal(store.get("x/a")?.metadata?.uid, "u2");
});

test("an index function that fails on a state leaves every index as it was", () => {
  const store = new Store<KubernetesObject>({
    indexes: {
      first: ({ metadata }) => [metadata?.labels?.["first"] ?? ""],
      second: ({ metadata }) => {
        if (metadata?.labels?.["second"] === undefined) throw new Error("no second");
        return [metadata.labels["second"]];
      },
    },
  });
  const owned = (resourceVersion: string, uid: string, labels: Record<string, string>): KubernetesObject => ({
    metadata: {
      name: "a",
      resourceVersion,
      labels,
      ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid, controller: true }],
    },
  });
  assert.throws(() => store.put({ object: owned("1", "old", { first: "old" }) }));
  store.put({ object: owned("2", "new", { first: "new", second: "new" }) });
  assert.deepEqual(store.byIndex("first", "old"), []);
  assert.deepEqual(store.ownedBy("old"), []);
  assert.throws(() => store.put({ object: owned("3", "newer", { first: "newer" }) }));
  assert.deepEqual(store.byIndex("first", "newer"), []);
  assert.deepEqual(store.ownedBy("newer"), []);
  assert.equal(store.byIndex("first", "new").length, 1);
  assert.equal(store.ownedBy("new").length, 1);
});
