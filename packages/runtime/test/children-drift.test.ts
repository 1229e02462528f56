/** What a controller declares of a child comes back, whatever somebody did to it by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "@kubewright/api/apps/v1";
import { ConfigMap, Service } from "@kubewright/api/core/v1";
import { Ingress } from "@kubewright/api/networking/v1";
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import { defineController, type Patch } from "@kubewright/runtime";
import { Harness, Widget } from "./harness.ts";

const SERVICE: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "a" },
  spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: "http" }] },
};

const DEPLOYMENT: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        containers: [
          {
            name: "web",
            image: "web:1",
            env: [{ name: "MODE", value: "fast" }],
            ports: [{ name: "http", containerPort: 80 }],
            volumeMounts: [{ name: "data", mountPath: "/data" }],
          },
        ],
        volumes: [{ name: "data", emptyDir: {} }],
      },
    },
  },
};

const path = (prefix: string) => ({
  path: prefix,
  pathType: "Prefix" as const,
  backend: { service: { name: "a", port: { number: 80 } } },
});
const INGRESS: Ingress = {
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name: "a" },
  spec: { rules: [{ host: "a.example.com", http: { paths: [path("/")] } }] },
};

/** Applies the child, lets `drift` happen to it, and answers with what became of it and what was written. */
async function drifted<Kind extends KubernetesObject>(
  definition: ResourceDefinition<Kind, unknown>,
  child: Kind,
  drift: Patch,
): Promise<{ readonly before: Kind; readonly after: Kind; readonly writesLater: readonly string[] }> {
  await using harness = await Harness.start();
  const { client } = harness;
  const manager = await harness.manage([
    defineController({ for: Widget, owns: [definition], children: () => [child] }),
  ]);
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  const before = await client.get(definition, "a");
  await client.patch(definition, "a", drift, { fieldManager: "kubectl-edit" });
  await harness.clock.advance(10_000);
  const after = await client.get(definition, "a");
  harness.takeWrites();
  await client.patch(definition, "a", { merge: { metadata: { labels: { touched: "yes" } } } });
  await harness.clock.advance(10_000);
  return { before, after, writesLater: harness.takeWrites() };
}

test("a Service port changed by hand comes back, alone", async () => {
  const merge = { spec: { ports: [{ name: "http", port: 8080, targetPort: "http" }] } };
  const { before, after, writesLater } = await drifted(Service, SERVICE, { merge });
  assert.deepEqual(after.spec, before.spec);
  assert.deepEqual(writesLater, []);
});

test("a Service port changed in every field comes back, alone", async () => {
  const ports = [{ port: 8080, targetPort: 9090 }];
  const plain = { ...SERVICE, spec: { ...SERVICE.spec, ports: [{ port: 80, targetPort: 80 }] } };
  const { before, after } = await drifted(Service, plain, { merge: { spec: { ports } } });
  assert.deepEqual(after.spec, before.spec);
});

test("a port that somebody added beside ours stays, and costs nothing", async () => {
  const patch: Patch = { strategic: { spec: { ports: [{ name: "metrics", port: 9090 }] } } };
  const { after, writesLater } = await drifted(Service, SERVICE, patch);
  assert.deepEqual(after.spec?.ports?.map(({ port }) => port).sort(), [80, 9090]);
  assert.deepEqual(writesLater, []);
});

const inContainer = (field: string, value: unknown): Patch => ({
  json: [{ op: "replace", path: `/spec/template/spec/containers/0/${field}`, value: value as never }],
});

for (const [what, patch] of [
  ["container port", inContainer("ports/0/containerPort", 8080)],
  ["environment variable renamed", inContainer("env/0/name", "OTHER")],
  ["environment variable's value", inContainer("env/0/value", "slow")],
  ["mount moved", inContainer("volumeMounts/0/mountPath", "/elsewhere")],
  ["image", inContainer("image", "web:2")],
] as const) {
  test(`a Deployment's ${what} by hand comes back, and nothing beside it`, async () => {
    const { before, after, writesLater } = await drifted(Deployment, DEPLOYMENT, patch);
    assert.deepEqual(after.spec, before.spec);
    assert.deepEqual(writesLater, []);
  });
}

test("a volume renamed with its mount comes back, and nothing beside it", async () => {
  const json = [
    { op: "replace", path: "/spec/template/spec/volumes/0/name", value: "other" },
    { op: "replace", path: "/spec/template/spec/containers/0/volumeMounts/0/name", value: "other" },
  ] as const;
  const { before, after } = await drifted(Deployment, DEPLOYMENT, { json });
  assert.deepEqual(after.spec, before.spec);
});

test("an Ingress rule changed, added or removed by hand comes back as it was", async () => {
  const [rule] = INGRESS.spec?.rules ?? [];
  const rules = [{ host: "b.example.com", http: { paths: [path("/"), path("/extra")] } }];
  for (const changed of [rules, [rule, ...rules], [{ host: "a.example.com" }]]) {
    const { before, after, writesLater } = await drifted(Ingress, INGRESS, { merge: { spec: { rules: changed } } });
    assert.deepEqual(after.spec, before.spec);
    assert.deepEqual(writesLater, []);
  }
});

test("a port changed by hand while the declaration changes, too, ends as declared", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  const controller = defineController({
    for: Widget,
    owns: [Service],
    children: ({ spec }) => [
      { ...SERVICE, spec: { ...SERVICE.spec, ports: [{ name: "http", port: 80 + spec.size, targetPort: "http" }] } },
    ],
  });
  const first = await harness.manage([controller]);
  await harness.createWidget({ name: "a" });
  await harness.settled(first);
  await first.stop();
  await client.patch(Service, "a", { merge: { spec: { ports: [{ name: "http", port: 8080 }] } } });
  await client.patch(Widget, "a", { merge: { spec: { size: 2 } } });
  const second = await harness.manage([controller]);
  await harness.settled(second);
  assert.deepEqual(
    (await client.get(Service, "a")).spec?.ports?.map(({ port }) => port),
    [82],
  );
});

test("a field that is no longer declared goes from a child that was created, and later changes are one request", async () => {
  await using harness = await Harness.start();
  const { client } = harness;
  const dataOf: Record<number, Record<string, string>> = { 1: { a: "1", b: "1" }, 2: { a: "2" }, 3: { c: "3" } };
  const children = ({ metadata, spec }: Widget): readonly ConfigMap[] => [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: metadata.name }, data: dataOf[spec.size] ?? {} },
  ];
  const manager = await harness.manage([defineController({ for: Widget, owns: [ConfigMap], children })]);
  const writesAt = async (size: number): Promise<readonly string[]> => {
    harness.takeWrites();
    await client.patch(Widget, "a", { merge: { spec: { size } } });
    await harness.settled(manager);
    return harness.takeWrites().filter((write) => write.includes("configmaps"));
  };
  await harness.createWidget({ name: "a" });
  await harness.settled(manager);
  assert.deepEqual((await client.get(ConfigMap, "a")).data, { a: "1", b: "1" });
  const first = await writesAt(2);
  assert.deepEqual((await client.get(ConfigMap, "a")).data, { a: "2" });
  assert.equal(first.length, 2);
  const second = await writesAt(3);
  assert.deepEqual((await client.get(ConfigMap, "a")).data, { c: "3" });
  assert.equal(second.length, 1);
});
