import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { loadOperator, type OperatorProject } from "@kubewright/cli";
import { type KubernetesObject, parseApiVersion } from "@kubewright/core/meta";
import { createDiscovery } from "@kubewright/runtime";
import {
  comparableState,
  killAfterEveryWrite,
  managerOf,
  type ProgramLife,
  startProgramLife,
} from "@kubewright/testing";
import { applyObject } from "../src/cluster/install.ts";
import { run } from "./command-line.ts";
import { madeFiles, OPERATORS, PROJECTS } from "./operator-projects.ts";

/** Each project of operators/, through the life of its samples. */
for (const folder of PROJECTS) {
  const project = await loadOperator(join(OPERATORS, folder));
  const program = managerOf(project.operator.controllers);

  test(`${folder}: the project is as the command makes it, its manifests included`, async () => {
    for (const change of madeFiles(folder)) {
      if (change.action !== "create") continue;
      // The formatter of this repository breaks the lines of JSON otherwise.
      const parse = (text: string): unknown => (change.path.endsWith(".json") ? JSON.parse(text) : text);
      const found = await readFile(join(OPERATORS, folder, change.path), "utf8");
      assert.deepEqual(parse(found), parse(change.text), change.path);
    }
    const { exitCode, stdout } = await run({ folder: join(OPERATORS, folder) }, "manifests", "--check");
    assert.equal(exitCode, 0, `${stdout}\nor: node tools/operator-projects/update.ts`);
  });

  test(`${folder}: a kill after any single write changes nothing in the end`, async () => {
    const writes = await killAfterEveryWrite({
      ...program,
      steps: [applySamples(project), passTwoMinutes, deleteSamples(project)],
      state: ({ cluster }) => comparableState(cluster.client, kindsOf(project)),
    });
    assert.ok(writes.length > 2, `${writes.length} writes`);
  });

  test(`${folder}: once converged it sends nothing, a second apply changes nothing, and deletion leaves nothing`, async () => {
    await using life = await startProgramLife(program);
    const before = await namesOf(life, project);
    await applySamples(project)(life);
    await life.cluster.advance("10m");
    life.transport.requests.splice(0);
    await life.cluster.advance(folder === "scheduled-scaler" ? "59s" : "1h"); // Its sample ticks every minute.
    assert.deepEqual(life.transport.requests, []);
    const versions = await versionsOf(life, project);
    await applySamples(project)(life);
    await life.settled();
    assert.deepEqual(await versionsOf(life, project), versions);
    assert.deepEqual(life.transport.requests, []);
    await deleteSamples(project)(life);
    await life.settled();
    assert.deepEqual(await namesOf(life, project), before);
  });
}

function applySamples({ samples }: OperatorProject): (life: ProgramLife) => Promise<void> {
  return async ({ cluster }) => {
    for (const sample of samples) await applyObject(cluster.client, sample);
  };
}

async function passTwoMinutes({ cluster }: ProgramLife): Promise<void> {
  await cluster.advance("2m");
}

function deleteSamples({ samples }: OperatorProject): (life: ProgramLife) => Promise<void> {
  return async ({ cluster: { client } }) => {
    for (const sample of samples.toReversed()) {
      const { apiVersion = "", kind = "", metadata } = sample as KubernetesObject;
      const definition = await createDiscovery(client).find({ ...parseApiVersion(apiVersion), kind });
      assert.ok(definition, `${apiVersion} ${kind} is served`);
      await client.delete(definition, { ...metadata, name: metadata?.name ?? "" });
    }
  };
}

/** The kinds that the operator is for, makes or works on. */
function kindsOf({ resources, operator }: OperatorProject) {
  return [
    ...new Set([...resources, ...operator.controllers.flatMap(({ owns = [] }) => owns), Deployment, ReplicaSet, Pod]),
  ];
}

async function objectsOf({ cluster }: ProgramLife, project: OperatorProject): Promise<readonly KubernetesObject[]> {
  const lists = await Promise.all(kindsOf(project).map((kind) => cluster.client.list(kind, { allNamespaces: true })));
  return lists.flatMap(({ items }) => items);
}

async function namesOf(life: ProgramLife, project: OperatorProject): Promise<readonly string[]> {
  const objects = await objectsOf(life, project);
  return objects.map(({ kind, metadata }) => `${kind} ${metadata?.namespace}/${metadata?.name}`);
}

async function versionsOf(life: ProgramLife, project: OperatorProject): Promise<readonly string[]> {
  const objects = await objectsOf(life, project);
  return objects.map(({ kind, metadata }) => `${kind} ${metadata?.name} ${metadata?.resourceVersion}`);
}
