import assert from "node:assert/strict";
import { parseTable, runCases } from "./cases.ts";
import type { Command } from "./command.ts";

function crd(group: string, extra: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wdg"], categories: ["all"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
          additionalPrinterColumns: [
            { name: "Size", type: "integer", jsonPath: ".spec.size" },
            { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: "Note", type: "string", jsonPath: ".spec.note", priority: 1 },
          ],
          schema: { openAPIV3Schema: schema },
          ...extra,
        },
      ],
    },
  };
}

const condition = { type: "object", properties: { type: { type: "string" }, status: { type: "string" } } };
const schema = {
  type: "object",
  description: "A widget is made by hand.",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 0, description: "How many there are." },
        note: { type: "string" },
        list: { type: "array", items: { type: "string" } },
      },
    },
    status: {
      type: "object",
      properties: { size: { type: "integer" }, conditions: { type: "array", items: condition } },
    },
  },
};

/** Serves widgets in a group of the case's own; waits until kubectl finds them. */
async function serveWidgets(kubectl: Command, group: string): Promise<void> {
  await kubectl.text("apply -f -", { input: crd(group) });
  await kubectl.text(`wait --for=condition=Established crd/widgets.${group} --timeout=20s`);
  for (let attempt = 0; attempt < 50; attempt++) {
    const { code, stdout } = await kubectl.run(`explain widgets --api-version=${group}/v1`);
    if (code === 0 && stdout.includes("made by hand")) return;
  }
  throw new Error(`widgets.${group} are not served`);
}

function widget(group: string, spec: object): object {
  return { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "one" }, spec };
}

runCases("custom", {
  "a CRD's resources go by all their names and show its columns": async ({ kubectl, namespace }) => {
    const group = `${namespace}.example.com`;
    await serveWidgets(kubectl, group);
    assert.equal(
      await kubectl.text("apply -f -", { input: widget(group, { size: 3, note: "noted" }) }),
      `widget.${group}/one created\n`,
    );
    const status = { status: { conditions: [{ type: "Ready", status: "True" }] } };
    await kubectl.text([
      "patch",
      `widgets.${group}`,
      "one",
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify(status),
    ]);
    const [header, row] = parseTable(await kubectl.text(`get widgets.${group}`));
    assert.deepEqual(header, ["NAME", "SIZE", "READY"]);
    assert.deepEqual(row, ["one", "3", "True"]);
    const [wide, wideRow] = parseTable(await kubectl.text(`get widget.${group} -o wide`));
    assert.deepEqual([wide?.at(-1), wideRow?.at(-1)], ["NOTE", "noted"]);
    assert.match(await kubectl.text(`get wdg.${group} -o name`), /\/one\n$/);
    assert.match(await kubectl.text(`describe widgets.${group} one`), /Size: +3/);
  },

  "apply merges custom resources and the server refuses what the schema does not allow": async ({
    kubectl,
    namespace,
  }) => {
    const group = `${namespace}.example.com`;
    await serveWidgets(kubectl, group);
    await kubectl.text("apply -f -", { input: widget(group, { size: 1, note: "x", list: ["a"] }) });
    await kubectl.text("apply -f -", { input: widget(group, { size: 2, list: ["b"] }) });
    assert.equal(await kubectl.text(`get widgets.${group} one -o jsonpath={.spec}`), '{"list":["b"],"size":2}');
    const negative = await kubectl.run("apply -f -", { input: widget(group, { size: -1 }) });
    assert.match(
      negative.stderr,
      /spec\.size: Invalid value: -1: spec\.size in body should be greater than or equal to 0/,
    );
    const unknown = await kubectl.run("apply -f -", { input: widget(group, { size: 1, colour: "red" }) });
    assert.match(unknown.stderr, /strict decoding error: unknown field "spec\.colour"/);
    const strategic = await kubectl.run([
      "patch",
      `widgets.${group}`,
      "one",
      "--type=strategic",
      "-p",
      '{"spec":{"size":4}}',
    ]);
    assert.equal(strategic.code, 1);
    assert.match(strategic.stderr, /application\/strategic-merge-patch\+json is not supported by/);
  },

  "explain shows what the author wrote": async ({ kubectl, namespace }) => {
    const group = `${namespace}.example.com`;
    await serveWidgets(kubectl, group);
    const root = await kubectl.text(`explain widgets --api-version=${group}/v1`);
    assert.match(root, /A widget is made by hand\./);
    const size = await kubectl.text(`explain widgets.spec.size --api-version=${group}/v1`);
    assert.match(size, /FIELD: size <integer>\n\n+DESCRIPTION:\n {4}How many there are\./);
    assert.match(await kubectl.text(`explain widgets.spec --api-version=${group}/v1`), /size\t<integer> -required-/);
  },

  "scale works on any kind with the subresource": async ({ kubectl, namespace }) => {
    const group = `${namespace}.example.com`;
    await serveWidgets(kubectl, group);
    await kubectl.text("apply -f -", { input: widget(group, { size: 1 }) });
    assert.equal(await kubectl.text(`scale widgets.${group}/one --replicas=6`), `widget.${group}/one scaled\n`);
    const [header, row] = parseTable(await kubectl.text(`get widgets.${group} one --subresource=scale`));
    assert.deepEqual(header?.slice(0, 3), ["NAME", "DESIRED", "AVAILABLE"]);
    assert.deepEqual(row?.slice(0, 3), ["one", "6", "0"]);
  },

  "a deleted CRD takes its objects with it": async ({ kubectl, namespace }) => {
    const group = `${namespace}.example.com`;
    await serveWidgets(kubectl, group);
    await kubectl.text("apply -f -", { input: widget(group, { size: 1 }) });
    await kubectl.text(`delete crd widgets.${group}`);
    const { code } = await kubectl.run(`get --raw /apis/${group}/v1/namespaces/${namespace}/widgets/one`);
    assert.equal(code, 1);
    await serveWidgets(kubectl, group);
    assert.equal((await kubectl.run(`get widgets.${group} -o name`)).stdout, "");
  },
});
