import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isMalformed } from "@kubewright/core/meta";
import type { Crd, StructuralSchema } from "@kubewright/core/schema";
import { moduleOfCrd } from "./module-of-crd.ts";
import { TYPE_DEPTH_MAX } from "./print-type.ts";

function crdOf(kind: string, schema: StructuralSchema, more: Partial<Crd["spec"]> = {}): Crd {
  const names = { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), shortNames: ["x"] };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${names.plural}.example.com` },
    spec: {
      group: "example.com",
      names,
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...more,
    },
  };
}

/** Compiles the files together with the strictest flags of this repository; returns what the compiler says. */
function compile(files: Readonly<Record<string, string>>): string {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const folder = mkdtempSync(join(root, "node_modules/.cache/codegen-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const config = { extends: join(root, "tsconfig.base.json"), include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
    return "";
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options = { importFrom: "@kubewright/core/meta" };

const memcached: StructuralSchema = {
  type: "object",
  description: "A cache.",
  required: ["spec"],
  properties: {
    apiVersion: { type: "string" },
    metadata: { type: "object" },
    spec: {
      type: "object",
      required: ["image", "size"],
      properties: {
        image: { type: "string", description: "Which image runs.\nAny registry." },
        size: { type: "integer", default: 1 },
        mode: { type: "string", enum: ["a", "b"] },
        port: { "x-kubernetes-int-or-string": true },
        labels: { type: "object", additionalProperties: { type: "string" } },
        template: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        hosts: {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
        },
      },
    },
    status: { type: "object", properties: { nodes: { type: "array", items: { type: "string" } } } },
  },
};

test("a module has types and a definition for every served version", () => {
  const version = (name: string, storage: boolean, served: boolean) => {
    return { name, storage, served, schema: { openAPIV3Schema: memcached }, subresources: { status: {} } };
  };
  const versions = [version("v1alpha1", false, true), version("v1", true, true), version("v0", false, false)];
  const text = moduleOfCrd(crdOf("Memcached", memcached, { versions, scope: "Cluster" }));
  assert.deepEqual(
    [...text.matchAll(/^export (?:interface|const) (\w+)/gm)].map(([, name]) => name),
    [
      ...["MemcachedSpec", "MemcachedStatus", "Memcached", "Memcached"],
      ...["MemcachedV1alpha1Spec", "MemcachedV1alpha1Status", "MemcachedV1alpha1", "MemcachedV1alpha1"],
    ],
  );
  assert.match(text, /^import type \* as kubewright from "kubewright";$/m);
  assert.match(
    text,
    / {2}\/\*\*\n {3}\* Which image runs\.\n {3}\* Any registry\.\n {3}\*\/\n {2}readonly image: string;/,
  );
  assert.match(text, /scope: "Cluster",\n {2}shortNames: \["x"\],\n {2}subresources: \["status"\],/);
});

const template = "`$" + "{process.exit(1)}`";
const hostile = `a*/ ${template} " ' \\ // @ts-nocheck\n*/ export const broken: string = 1;\u2028export const worse: string = 1; /*`;
const hostileKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "a-b",
  "*/",
  template,
  '"',
  "\\",
  "\n",
  "",
  "1",
];

function hostileCrd(kind: string): Crd {
  const names = Object.fromEntries(hostileKeys.map((key) => [key, { type: "string", description: hostile } as const]));
  const properties = { ...names, choice: { type: "string", enum: [hostile, "*/"] } } as const;
  const schema: StructuralSchema = {
    type: "object",
    description: hostile,
    properties: { spec: { type: "object", description: hostile, properties, required: hostileKeys } },
  };
  const crd = crdOf(kind, schema);
  return {
    ...crd,
    metadata: { name: hostile },
    spec: { ...crd.spec, group: hostile, names: { ...crd.spec.names, plural: hostile, shortNames: [hostile] } },
  };
}

test("the text compiles whatever the CRD contains, and its types are those of the schema", () => {
  const kinds = ["Record", "Readonly", "Object", "ObjectMeta", "class", "kubewright", "9Lives", "a*/b", "Ünï-code"];
  const hostileModules = kinds.map((kind, index) => [`hostile${index}.ts`, moduleOfCrd(hostileCrd(kind), options)]);
  const use = `
import type { ObjectOf, ResourceDefinition } from "@kubewright/core/meta";
import { Memcached, type MemcachedSpec } from "./memcached.ts";
import { Record as Hostile } from "./hostile0.ts";

const spec: MemcachedSpec = { image: "a", mode: "b", port: "http", labels: { a: "b" }, template: { any: [1] }, hosts: [{ name: "h" }] };
export const good: ObjectOf<typeof Memcached> = { apiVersion: "example.com/v1", metadata: { name: "m" }, spec };
export const definition: ResourceDefinition<Memcached> = Memcached;
// @ts-expect-error: the image is required
export const noImage: MemcachedSpec = { size: 1 };
// @ts-expect-error: no such mode
export const badMode: MemcachedSpec = { image: "a", mode: "c" };
// @ts-expect-error: fields that the schema does not have
export const unknownField: MemcachedSpec = { image: "a", replicas: 1 };
// @ts-expect-error: another kind
export const otherKind: Memcached = { kind: "Redis", spec };
// @ts-expect-error: readonly
good.spec = spec;
export const plural: string = Hostile.plural;
`;
  const files = Object.fromEntries(hostileModules);
  assert.equal(
    compile({ ...files, "memcached.ts": moduleOfCrd(crdOf("Memcached", memcached), options), "use.ts": use }),
    "",
  );
});

test("the compiler of these tests finds wrong types", () => {
  assert.match(compile({ "wrong.ts": "export const wrong: string = 1;" }), /TS2322/);
});

test("schemas of any depth are printed", () => {
  let schema: StructuralSchema = { type: "string" };
  for (let depth = 0; depth < 5000; depth++) schema = { type: "object", properties: { a: schema } };
  const text = moduleOfCrd(crdOf("Deep", { type: "object", properties: { spec: schema } }));
  assert.ok(text.split("\n").length < 3 * TYPE_DEPTH_MAX);
});

test("a CRD without a schema yields an open type", () => {
  const versions = [{ name: "v1", served: true, storage: true }];
  assert.match(moduleOfCrd(crdOf("Any", {}, { versions })), /readonly \[key: string\]: unknown;/);
});

test("what is no CRD, or serves nothing, is refused", () => {
  const refused = [{ kind: "Deployment" }, {}, crdOf("None", {}, { versions: [] })];
  for (const value of refused) assert.throws(() => moduleOfCrd(value as unknown as Crd), isMalformed);
});
