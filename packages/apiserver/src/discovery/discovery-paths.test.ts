import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { type ContractApi, createContractApi } from "../contract/api.ts";
import { CRDS, widgetCrd } from "../contract/objects.ts";
import { createApiServer } from "../server/server.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
/** What client-go sends. */
const ACCEPT = `${AGGREGATED},${AGGREGATED.replace("v=v2;", "v=v2beta1;")},application/json`;

async function withServer(run: (api: ContractApi) => Promise<void>): Promise<void> {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  await run(createContractApi(server.transport, "default"));
}

/** A CRD that stores its first version. */
function crdOfVersions(group: string, [stored, ...others]: readonly string[], finalizers: string[] = []): object {
  const version = (name: string | undefined, storage: boolean): object => {
    return { name, storage, served: true, schema: { openAPIV3Schema: { type: "object" } } };
  };
  const versions = [version(stored, true), ...others.map((name) => version(name, false))];
  const names = { plural: "widgets", singular: "widget", kind: "Widget" };
  const spec = { group, scope: "Namespaced", names, versions };
  const kind = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  return { ...kind, metadata: { name: `widgets.${group}`, finalizers }, spec };
}

const groupNames = async (api: ContractApi): Promise<readonly string[]> => {
  const { body } = await api.get("/apis", { headers: { accept: ACCEPT } });
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
};

test("aggregated discovery is told by its content type and not sent twice", () =>
  withServer(async (api) => {
    for (const path of ["/api", "/apis"]) {
      const first = await api.get(path, { headers: { accept: ACCEPT } });
      assert.equal(first.status, 200);
      assert.equal(first.headers["content-type"], AGGREGATED);
      assert.equal(first.headers["vary"], "Accept");
      assert.equal(first.headers["cache-control"], "public");
      const etag = first.headers["etag"] ?? "";
      assert.match(etag, /^"[0-9A-F]{128}"$/);
      const second = await api.get(path, { headers: { accept: ACCEPT, "if-none-match": etag } });
      assert.equal(second.status, 304);
      assert.equal(second.text, "");
    }
  }));

test("the resources of a CRD are discovered at once, preferred version first, and are gone with it", () =>
  withServer(async (api) => {
    const before = await groupNames(api);
    assert.equal(before[0], "apiregistration.k8s.io");
    const created = await api.post(CRDS, crdOfVersions("shop.example.com", ["v1beta1", "v1", "v2"]));
    assert.equal(created.status, 201, created.text);
    await api.post(CRDS, widgetCrd("bakery.example.com", {}));
    assert.deepEqual(await groupNames(api), [...before, "bakery.example.com", "shop.example.com"]);
    const group = await api.get("/apis/shop.example.com");
    assert.equal(group.body.preferredVersion.groupVersion, "shop.example.com/v2");
    assert.deepEqual(
      group.body.versions.map(({ version }: { version: string }) => version),
      ["v2", "v1", "v1beta1"],
    );
    const { body: list } = await api.get(CRDS);
    await api.delete(`${CRDS}/widgets.shop.example.com`);
    await api.watch(`${CRDS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`, (events) =>
      events.some(({ type }) => type === "DELETED"),
    );
    assert.deepEqual(await groupNames(api), [...before, "bakery.example.com"]);
    assert.equal((await api.get("/apis/shop.example.com")).status, 404);
    assert.equal((await api.get("/apis/shop.example.com/v1")).status, 404);
  }));

test("a CRD that is going offers what ends its objects, nothing else", () =>
  withServer(async (api) => {
    await api.post(CRDS, crdOfVersions("shop.example.com", ["v1"], ["example.com/hold"]));
    await api.delete(`${CRDS}/widgets.shop.example.com`);
    const { body } = await api.get("/apis/shop.example.com/v1");
    assert.deepEqual(body.resources[0].verbs, ["delete", "deletecollection", "get", "list", "watch"]);
  }));

test("plain discovery names subresources, short names and the hash of the stored version", () =>
  withServer(async (api) => {
    const { body } = await api.get("/apis/apps/v1");
    const byName = new Map(body.resources.map((resource: { name: string }) => [resource.name, resource]));
    assert.deepEqual(byName.get("deployments"), {
      name: "deployments",
      singularName: "deployment",
      namespaced: true,
      kind: "Deployment",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["deploy"],
      categories: ["all"],
      storageVersionHash: "8aSe+NMegvE=",
    });
    assert.deepEqual(byName.get("deployments/scale"), {
      name: "deployments/scale",
      singularName: "",
      namespaced: true,
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
      verbs: ["get", "patch", "update"],
    });
    await api.post(CRDS, widgetCrd("example.com", {}));
    const widgets = await api.get("/apis/example.com/v1");
    assert.equal(widgets.body.resources[0].storageVersionHash, "gIwvi5rymmg=");
    assert.deepEqual((await api.get("/api")).body.versions, ["v1"]);
  }));

test("what is not there, or not in the wanted form, is refused as kube-apiserver does", () =>
  withServer(async (api) => {
    assert.equal((await api.get("/apis/nope")).text, "404 page not found\n");
    assert.equal((await api.get("/apis/apps/v9")).body.reason, "NotFound");
    assert.equal((await api.get("/api/v2")).body.message, "the server could not find the requested resource");
    assert.equal((await api.get("/apis", { headers: { accept: "text/plain" } })).status, 406);
    assert.equal((await api.get("/apis/apps", { headers: { accept: AGGREGATED } })).status, 406);
    const yaml = await api.get("/apis/apps", { headers: { accept: "application/yaml" } });
    assert.match(yaml.text, /^name: apps$/m);
  }));

test("the root names all paths, sorted", () =>
  withServer(async (api) => {
    const { body } = await api.get("/");
    assert.deepEqual(body.paths, [...body.paths].sort());
    for (const path of ["/api/v1", "/apis", "/apis/apps/v1", "/healthz", "/version"]) {
      assert.ok(body.paths.includes(path), path);
    }
    assert.equal((await api.get("/nothing")).status, 404);
  }));
