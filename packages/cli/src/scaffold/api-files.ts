/** The files of one kind: its definition, its controller with a test that passes, and a sample. */
import type { FileChange } from "./file-change.ts";

/** Which kind. */
export interface ApiNames {
  /** Without the domain: "cache". */
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  /** @default the English plural of the kind */
  readonly plural?: string | undefined;
  readonly namespaced: boolean;
}

/** Which parts of it. */
export interface ApiParts {
  readonly resource: boolean;
  readonly controller: boolean;
}

/** All files of a kind. */
export function apiFiles(names: ApiNames, parts: ApiParts): readonly FileChange[] {
  const file = names.kind.toLowerCase();
  const texts: [path: string, text: string][] = [];
  if (parts.resource) texts.push([`src/api/${names.version}/${file}.ts`, definition(names)]);
  if (parts.controller) {
    texts.push([`src/controllers/${file}.ts`, controller(names)], [`src/controllers/${file}.test.ts`, test(names)]);
  }
  if (parts.resource) texts.push([samplePath(names), sample(names)]);
  return texts.map(([path, text]) => ({ action: "create", path, text }));
}

/** The name of the controller's value: "memcachedController". */
export function controllerName({ kind }: Pick<ApiNames, "kind">): string {
  return `${variable(kind)}Controller`;
}

/** Where the sample of a kind is. */
export function samplePath({ group, version, kind }: ApiNames): string {
  return `config/samples/${group}_${version}_${kind.toLowerCase()}.yaml`;
}

function definition({ group, domain, version, kind, plural, namespaced }: ApiNames): string {
  const optional = [
    ...(plural === undefined ? [] : [`  plural: ${JSON.stringify(plural)},\n`]),
    ...(namespaced ? [] : ['  scope: "Cluster",\n']),
  ];
  return `/** The ${kind} resource: what users ask for, and what the operator reports. */
import { conditions, defineResource, type ObjectOf } from "kubewright";
import { z } from "zod";

/** ${kind}, ${group}.${domain}/${version}. */
export const ${kind} = defineResource({
  group: "${group}.${domain}",
  version: "${version}",
  kind: "${kind}",
${optional.join("")}  spec: z.object({
    foo: z.string().default("Hello World").describe("An example; replace it by fields of your own."),
  }),
  status: z.object({ conditions: conditions() }),
  columns: [
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type ${kind} = ObjectOf<typeof ${kind}>;
`;
}

function controller(names: ApiNames): string {
  const { kind, version, namespaced } = names;
  const value = TAKEN.has(variable(kind)) ? `${variable(kind)}Object` : variable(kind);
  const home = namespaced ? "" : ', namespace: "default"';
  return `/** Keeps a ConfigMap for each ${kind}: an example of a child; replace it by what your operator is for. */
import { defineController } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { ${kind} } from "../api/${version}/${kind.toLowerCase()}.ts";

/** The controller of ${kind}. */
export const ${controllerName(names)} = defineController({
  for: ${kind},
  owns: [ConfigMap],
  children: (${value}) => [configMapFor(${value})],
  status: (_, observed) => {
    const isThere = observed.list(ConfigMap).length > 0;
    return {
      conditions: [
        isThere
          ? { type: "Ready", status: "True", reason: "Applied", message: "everything is there" }
          : { type: "Ready", status: "False", reason: "Applying", message: "the ConfigMap is not there yet" },
      ],
    };
  },
});

/** The ConfigMap of one ${kind}. */
function configMapFor(${value}: ${kind}): ConfigMap {
  const { name = "" } = ${value}.metadata;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name${home} },
    data: { foo: ${value}.spec.foo },
  };
}
`;
}

function test(names: ApiNames): string {
  const { kind, version, namespaced } = names;
  const file = kind.toLowerCase();
  const target = namespaced ? '"sample"' : '{ name: "sample", namespace: "default" }';
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { ${kind} } from "../api/${version}/${file}.ts";
import { ${controllerName(names)} } from "./${file}.ts";

test("the ConfigMap of a ${kind} has what its spec says, and the ${kind} becomes ready", async () => {
  await using cluster = await startCluster({ controllers: [${controllerName(names)}] });
  await cluster.client.create(${kind}, { metadata: { name: "sample" }, spec: { foo: "bar" } });
  await cluster.settled();
  assert.deepEqual((await cluster.client.get(ConfigMap, ${target})).data, { foo: "bar" });
  const { status } = await cluster.client.get(${kind}, "sample");
  assert.ok(isConditionTrue(status?.conditions ?? [], "Ready"));
});
`;
}

function sample({ group, domain, version, kind }: ApiNames): string {
  return `apiVersion: ${group}.${domain}/${version}
kind: ${kind}
metadata:
  name: ${kind.toLowerCase()}-sample
spec:
  foo: Hello World
`;
}

/** Words of the language, and names in the example, that no variable of the controller can have. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let name new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

function variable(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
