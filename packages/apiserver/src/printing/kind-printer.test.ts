import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Json, JsonObject } from "@kubewright/core/meta";
import type { Clock } from "@kubewright/core/ports";
import type { Crd } from "@kubewright/core/schema";
import { builtinResources } from "../registry/builtin-resources.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { createKindPrinter } from "./kind-printer.ts";

/** A row as kube-apiserver printed it; tools/table-oracle records them. */
interface RecordedRow {
  readonly path: string;
  readonly nowMs: number;
  readonly columns: readonly (readonly [name: string, type: string, format: string, priority: number])[];
  readonly cells: readonly Json[];
  readonly conditions: readonly JsonObject[];
  readonly object: ApiObject;
}

const rows: readonly RecordedRow[] = JSON.parse(readFileSync(new URL("testdata/tables.json", import.meta.url), "utf8"));

const resources = new Map(
  builtinResources(new Map()).map((resource) => {
    const { group, version, plural } = resource.definition;
    return [`${group}/${version}/${plural}`, resource];
  }),
);

function resourceOf({ path, object }: RecordedRow): ServedResource {
  const [group = "", version = ""] = object.apiVersion.includes("/")
    ? object.apiVersion.split("/")
    : ["", object.apiVersion];
  const plural = path.slice(path.lastIndexOf("/") + 1);
  return resources.get(`${group}/${version}/${plural}`) ?? customResource(`${plural}.${group}`);
}

/** The resource of a recorded CRD; all that printing reads of it. */
function customResource(name: string): ServedResource {
  const crd = rows.find(({ object }) => object.kind === "CustomResourceDefinition" && object.metadata.name === name);
  const pods = resources.get("/v1/pods");
  assert.ok(crd !== undefined && pods !== undefined);
  const { additionalPrinterColumns } = (crd.object as unknown as Crd).spec.versions[0] ?? {};
  return { ...pods, custom: true, ...(additionalPrinterColumns && { columns: additionalPrinterColumns }) };
}

const clockAt = (nowMs: number): Clock => ({ now: () => nowMs, monotonic: () => 0, schedule: () => () => {} });

for (const row of rows) {
  test(`prints ${row.object.kind} ${row.object.metadata.name} as kube-apiserver does`, async () => {
    const table = await createKindPrinter(clockAt(row.nowMs))(resourceOf(row), {
      objects: [row.object],
      metaVersion: "v1",
      listMetadata: { resourceVersion: "7" },
      includeObject: "Metadata",
    });
    const columns = table["columnDefinitions"] as readonly Record<string, Json>[];
    const [printed] = table["rows"] as readonly Record<string, Json>[];
    assert.deepEqual(
      columns.map(({ name, type, format, priority }) => [name, type, format, priority]),
      row.columns,
    );
    assert.deepEqual(printed?.["cells"], row.cells);
    assert.deepEqual(printed?.["conditions"] ?? [], row.conditions);
    assert.deepEqual(printed?.["object"], {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: row.object.metadata,
    });
    assert.deepEqual(table["metadata"], { resourceVersion: "7" });
  });
}

/** Nobody stores them. */
const UNRECORDED: ReadonlySet<string> = new Set(["componentstatuses"]);

test("every kind with columns of its own is among the recorded ones", () => {
  const recorded = new Set(rows.map((row) => row.path.slice(row.path.lastIndexOf("/") + 1)));
  for (const resource of resources.values()) {
    if (!resource.verbs.includes("list")) continue;
    const { plural } = resource.definition;
    assert.ok(recorded.has(plural) || UNRECORDED.has(plural), plural);
  }
});

test("rows carry as much of their object as was asked for", async () => {
  const [row] = rows;
  assert.ok(row !== undefined);
  const print = (includeObject: string): JsonObject | Promise<JsonObject> =>
    createKindPrinter(clockAt(0))(resourceOf(row), {
      objects: [row.object],
      metaVersion: "v1",
      listMetadata: {},
      includeObject,
    });
  const shown = async (includeObject: string): Promise<Json | undefined> => {
    const [printed] = (await print(includeObject))["rows"] as readonly Record<string, Json>[];
    return printed?.["object"];
  };
  assert.equal(await shown("None"), null);
  assert.deepEqual(await shown("Object"), row.object);
  await assert.rejects(
    async () => print("Everything"),
    /includeObject: Invalid value: "Everything": must be 'Metadata', 'Object', 'None', or empty/,
  );
});
