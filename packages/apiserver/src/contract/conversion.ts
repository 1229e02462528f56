/** Contract cases: custom resources whose versions a webhook converts. */
import assert from "node:assert/strict";
import type { JsonObject } from "@kubewright/core/meta";
import { type Answer, beginWatch, type ContractApi } from "./api.ts";
import { type ContractCase, contract, crdDeletion } from "./case.ts";
import { CRDS, widgetCrd } from "./objects.ts";
import { startWebhook, type WebhookServer } from "./webhook-server.ts";
import { createCrd, untilGone, untilServed } from "./widgets.ts";

// biome-ignore lint/suspicious/noExplicitAny: the webhook sees what the case wrote.
type Converted = any;

/** v1 has spec.size, v2 has spec.length. */
function convert(object: Converted, apiVersion: string): Converted {
  const { size, length = size } = object.spec ?? {};
  return { ...object, apiVersion, spec: apiVersion.endsWith("/v1") ? { size: length } : { length } };
}

function convertAll({ objects, desiredAPIVersion }: Converted): JsonObject {
  const convertedObjects = objects.map((object: Converted) => convert(object, desiredAPIVersion));
  return { result: { status: "Success" }, convertedObjects };
}

function version(name: string, field: string, storage: boolean): object {
  const spec = { type: "object", properties: { [field]: { type: "integer" } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const selectableFields = [{ jsonPath: `.spec.${field}` }];
  return { name, served: true, storage, subresources: { status: {} }, schema, selectableFields };
}

interface ConvertedWidgets {
  readonly group: string;
  path(version: string): string;
  widget(version: string, name: string, spec: object): object;
}

/** Serves widgets in v1 (stored) and v2, converted by `server`. */
async function serveConverted(
  api: ContractApi,
  { url, caBundle }: Pick<WebhookServer, "url" | "caBundle">,
): Promise<ConvertedWidgets> {
  const group = `${api.namespace}.example.com`;
  const crd = widgetCrd(group) as { spec: object };
  const webhook = { clientConfig: { url: `${url}/convert`, caBundle }, conversionReviewVersions: ["v1"] };
  const versions = [version("v1", "size", true), version("v2", "length", false)];
  const spec = { ...crd.spec, versions, conversion: { strategy: "Webhook", webhook } };
  await createCrd(api, { ...crd, spec });
  const path = (served: string): string => `/apis/${group}/${served}/namespaces/${api.namespace}/widgets`;
  await untilServed(api, path("v1"));
  await untilServed(api, path("v2"));
  const widget = (served: string, name: string, its: object): object => ({
    apiVersion: `${group}/${served}`,
    kind: "Widget",
    metadata: { name },
    spec: its,
  });
  return { group, path, widget };
}

/** The answer to reading v2 of an object that a webhook with these answers converts. */
async function readThrough(api: ContractApi, answer: (request: Converted) => JsonObject): Promise<[Answer, string]> {
  await using server = await startWebhook(answer);
  const { group, path, widget } = await serveConverted(api, server);
  assert.equal((await api.post(path("v1"), widget("v1", "a", { size: 1 }))).status, 201);
  return [await api.get(`${path("v2")}/a`), `conversion webhook for ${group}/v1, Kind=Widget`];
}

/** The cases. */
export const conversionCases: readonly ContractCase[] = [
  contract("a webhook converts what is read and written in another version than the stored one", async (api) => {
    await using server = await startWebhook(convertAll);
    const { group, path, widget } = await serveConverted(api, server);
    const created = await api.post(path("v2"), widget("v2", "a", { length: 3 }));
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec, { length: 3 });
    assert.deepEqual((await api.get(`${path("v1")}/a`)).body.spec, { size: 3 });
    assert.equal((await api.post(path("v1"), widget("v1", "b", { size: 4 }))).status, 201);
    const listed = await api.get(path("v2"));
    assert.deepEqual(
      listed.body.items.map((item: Converted) => [item.apiVersion, item.spec]),
      [
        [`${group}/v2`, { length: 3 }],
        [`${group}/v2`, { length: 4 }],
      ],
    );
    const merged = await api.patch(`${path("v2")}/b`, "application/merge-patch+json", { spec: { length: 5 } });
    assert.equal(merged.status, 200, merged.text);
    assert.deepEqual((await api.get(`${path("v1")}/b`)).body.spec, { size: 5 });
    assert.equal((await api.get(`${path("v1")}/b`)).body.metadata.generation, 2);
  }),

  contract("watchers of a version see every event converted to it", async (api) => {
    await using server = await startWebhook(convertAll);
    const { path, widget } = await serveConverted(api, server);
    const created = await api.post(path("v1"), widget("v1", "a", { size: 1 }));
    const [initial] = await api.watch(`${path("v2")}?watch=1`, () => true);
    assert.deepEqual(initial?.object.spec, { length: 1 });
    const { resourceVersion } = created.body.metadata;
    const watching = api.watch(
      `${path("v2")}?watch=1&resourceVersion=${resourceVersion}`,
      ({ length }) => length === 2,
    );
    const patched = await api.patch(`${path("v1")}/a`, "application/merge-patch+json", { spec: { size: 2 } });
    assert.equal(patched.status, 200, patched.text);
    const deleted = await api.delete(`${path("v1")}/a`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(
      (await watching).map(({ type, object }) => [type, object.spec]),
      [
        ["MODIFIED", { length: 2 }],
        ["DELETED", { length: 2 }],
      ],
    );
  }),

  contract("fields of a version select objects as they are in it, whatever is stored", async (api) => {
    await using server = await startWebhook(convertAll);
    const { path, widget } = await serveConverted(api, server);
    await api.post(path("v1"), widget("v1", "a", { size: 1 }));
    await api.post(path("v2"), widget("v2", "b", { length: 2 }));
    const names = async (query: string): Promise<readonly string[]> => {
      const { body } = await api.get(query);
      return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    };
    assert.deepEqual(await names(`${path("v2")}?fieldSelector=spec.length%3D1`), ["a"]);
    assert.deepEqual(await names(`${path("v2")}?fieldSelector=spec.length%21%3D1`), ["b"]);
    assert.deepEqual(await names(`${path("v1")}?fieldSelector=spec.size%3D2`), ["b"]);
    assert.equal((await api.get(`${path("v2")}?fieldSelector=spec.size%3D2`)).status, 400);
    const selected = `${path("v2")}?watch=1&fieldSelector=spec.length%3D2`;
    const watched = await beginWatch(api, selected, (events) => events.length === 4);
    await api.post(path("v1"), widget("v1", "c", { size: 3 }));
    for (const size of [2, 2, 4]) {
      const current = (await api.get(`${path("v1")}/a`)).body;
      await api.put(`${path("v1")}/a`, {
        ...current,
        metadata: { ...current.metadata, labels: { n: String(size) } },
        spec: { size },
      });
      await api.patch(`${path("v1")}/a`, "application/merge-patch+json", {
        metadata: { annotations: { again: String(size) } },
      });
    }
    const told = (await watched.events).map(({ type, object }) => [type, object.metadata.name, object.spec.length]);
    assert.deepEqual(told, [
      ["ADDED", "b", 2],
      ["ADDED", "a", 2],
      ["MODIFIED", "a", 2],
      ["DELETED", "a", 2],
    ]);
  }),

  contract("a converting webhook changes labels and annotations, and no other metadata", async (api) => {
    await using server = await startWebhook(({ objects, desiredAPIVersion }: Converted) => ({
      result: { status: "Success" },
      convertedObjects: objects.map((object: Converted) => {
        const { name, namespace, uid } = object.metadata;
        const labels = { converted: "yes" };
        return {
          ...convert(object, desiredAPIVersion),
          metadata: { name, namespace, uid, labels, finalizers: ["x/y"] },
        };
      }),
    }));
    const { path, widget } = await serveConverted(api, server);
    const created = await api.post(path("v1"), widget("v1", "a", { size: 1 }));
    const { managedFields: _ours, ...expected } = created.body.metadata;
    const { managedFields: _theirs, ...metadata } = (await api.get(`${path("v2")}/a`)).body.metadata;
    assert.deepEqual(metadata, { ...expected, labels: { converted: "yes" } });
  }),

  contract("a conversion that a webhook refuses is an error with its words", async (api) => {
    const result = { status: "Failure", message: "no such length" };
    const [{ status, body }, subject] = await readThrough(api, () => ({ result }));
    assert.deepEqual([status, body.message], [500, `${subject} failed: no such length`]);
  }),

  contract("a webhook must return as many objects as it was asked to convert", async (api) => {
    const convertedObjects: Converted[] = [];
    const [none, subject] = await readThrough(api, () => ({ result: { status: "Success" }, convertedObjects }));
    assert.equal(none.body.message, `${subject} returned 0 objects, expected 1`);
  }),

  contract("a webhook must not rename what it converts", async (api) => {
    const rename = (request: Converted): JsonObject => ({
      result: { status: "Success" },
      convertedObjects: request.objects.map((object: Converted) => ({
        ...convert(object, request.desiredAPIVersion),
        metadata: { ...object.metadata, name: "other" },
      })),
    });
    const [{ body }, subject] = await readThrough(api, rename);
    assert.equal(body.message, `${subject} returned invalid object: must have the same name: a != other`);
  }),

  crdDeletion("a CRD can be deleted when the webhook that converts its objects is gone", async (api) => {
    const server = await startWebhook(convertAll);
    const { group, path, widget } = await serveConverted(api, server);
    assert.equal((await api.post(path("v1"), widget("v1", "a", { size: 1 }))).status, 201);
    await server[Symbol.asyncDispose]();
    const unreachable = await api.get(`${path("v2")}/a`);
    assert.equal(unreachable.status, 500);
    assert.match(unreachable.body.message, /failed: Post "https:.*\/convert\?timeout=30s": .*connection refused$/);
    await api.delete(`${CRDS}/widgets.${group}`);
    await untilGone(api, `${CRDS}/widgets.${group}`);
  }),
];
