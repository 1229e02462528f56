import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { type ContractApi, createContractApi } from "../contract/api.ts";
import { CRDS, widgetCrd } from "../contract/objects.ts";
import { createApiServer } from "../server/server.ts";

async function withServer(run: (api: ContractApi) => Promise<void>): Promise<void> {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom });
  await run(createContractApi(server.transport, "default"));
}

async function urlOf(api: ContractApi, path: string): Promise<string> {
  const { body } = await api.get("/openapi/v3");
  return body.paths[path]?.serverRelativeURL;
}

test("the index leads to documents that clients may keep for ever", () =>
  withServer(async (api) => {
    const url = await urlOf(api, "apis/apps/v1");
    assert.match(url, /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const kept = await api.get(url);
    assert.equal(kept.status, 200);
    assert.equal(kept.headers["cache-control"], "public, immutable");
    assert.match(kept.headers["expires"] ?? "", /UTC$/);
    assert.equal(kept.headers["content-type"], "application/json");
    const again = await api.get(url, { headers: { "if-none-match": kept.headers["etag"] ?? "" } });
    assert.equal(again.status, 304);
    const stale = await api.get("/openapi/v3/apis/apps/v1?hash=OLD");
    assert.equal(stale.status, 301);
    assert.equal(stale.headers["location"], url);
    const unversioned = await api.get("/openapi/v3/apis/apps/v1");
    assert.equal(unversioned.text, kept.text);
    assert.equal(unversioned.headers["cache-control"], "no-cache, private");
  }));

test("documents that are not there, or not in the wanted form, are refused", () =>
  withServer(async (api) => {
    assert.equal((await api.get("/openapi/v3/apis/nope/v1")).status, 404);
    const protobuf = { accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" };
    assert.equal((await api.get("/openapi/v3/apis/apps/v1", { headers: protobuf })).status, 406);
    assert.equal((await api.get("/openapi/v2", { headers: protobuf })).status, 406);
  }));

test("a document says which patches a kind takes and that unknown fields are checked", () =>
  withServer(async (api) => {
    await api.post(CRDS, widgetCrd("example.com"));
    for (const [document, path, isBuiltin] of [
      ["apis/apps/v1", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", true],
      ["apis/example.com/v1", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}", false],
      ["api/v1", "/api/v1/nodes/{name}", true],
    ] as const) {
      const { body } = await api.get(await urlOf(api, document));
      const { patch } = body.paths[path];
      assert.equal("application/strategic-merge-patch+json" in patch.requestBody.content, isBuiltin, path);
      assert.ok("application/apply-patch+yaml" in patch.requestBody.content, path);
      assert.ok(
        patch.parameters.some(({ name }: { name: string }) => name === "fieldValidation"),
        path,
      );
      const { group, version, kind } = patch["x-kubernetes-group-version-kind"];
      const schemas: Record<string, unknown>[] = Object.values(body.components.schemas);
      const marks = schemas.flatMap((schema) => schema["x-kubernetes-group-version-kind"] ?? []);
      assert.ok(JSON.stringify(marks).includes(JSON.stringify({ group, kind, version })), path);
    }
  }));

test("every reference of every document leads somewhere", () =>
  withServer(async (api) => {
    await api.post(CRDS, widgetCrd("example.com", { subresources: { status: {}, scale: SCALE } }));
    const { body: index } = await api.get("/openapi/v3");
    for (const path of Object.keys(index.paths)) {
      const { body, text } = await api.get(`/openapi/v3/${path}`);
      for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        assert.ok(Object.hasOwn(body.components.schemas, name), `${name} in ${path}`);
      }
    }
    const { body, text } = await api.get("/openapi/v2");
    assert.equal(body.swagger, "2.0");
    for (const [, name = ""] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      assert.ok(Object.hasOwn(body.definitions, name), name);
    }
    assert.ok(!text.includes("#/components/"));
    assert.ok(body.definitions["com.example.v1.Widget"] !== undefined);
  }));

const SCALE = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" };

test("a CRD publishes what its author wrote, and its document changes with it alone", () =>
  withServer(async (api) => {
    const schema = {
      type: "object",
      description: "A widget.",
      properties: {
        spec: {
          type: "object",
          required: ["size"],
          properties: {
            size: { type: "integer", description: "How many.", default: 1 },
            port: { "x-kubernetes-int-or-string": true },
            template: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
          },
        },
      },
    };
    await api.post(CRDS, widgetCrd("example.com", { schema: { openAPIV3Schema: schema } }));
    const { body } = await api.get("/openapi/v3/apis/example.com/v1");
    const metadata = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };
    const text = { type: "string" };
    assert.deepEqual(body.components.schemas["com.example.v1.Widget"], {
      type: "object",
      description: "A widget.",
      properties: {
        spec: {
          type: "object",
          required: ["size"],
          properties: {
            size: { type: "integer", description: "How many.", default: 1 },
            port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
            template: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
              required: ["kind", "apiVersion"],
              properties: { apiVersion: text, kind: text, metadata },
            },
          },
        },
        apiVersion: text,
        kind: text,
        metadata,
      },
      "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Widget", version: "v1" }],
    });
    const [widgets, apps] = [await urlOf(api, "apis/example.com/v1"), await urlOf(api, "apis/apps/v1")];
    const { body: crd } = await api.get(`${CRDS}/widgets.example.com`);
    crd.spec.versions[0].schema.openAPIV3Schema.description = "Another widget.";
    assert.equal((await api.put(`${CRDS}/widgets.example.com`, crd)).status, 200);
    assert.notEqual(await urlOf(api, "apis/example.com/v1"), widgets);
    assert.equal(await urlOf(api, "apis/apps/v1"), apps);
    assert.equal(await urlOf(api, "apis/other.example.com/v1"), undefined);
  }));
