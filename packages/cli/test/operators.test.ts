import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Event } from "@kubewright/api/events/v1";
import { loadOperator, type OperatorProject } from "@kubewright/cli";
import { findCondition, type KubernetesObject } from "@kubewright/core/meta";
import {
  comparableState,
  killAfterEveryWrite,
  managerOf,
  type ProgramLife,
  type ProgramLifeOptions,
  startProgramLife,
} from "@kubewright/testing";
import { run } from "./command-line.ts";
import { LIVES, type OperatorLife, UNPULLABLE } from "./operator-lives.ts";
import { madeFiles, OPERATORS, PROJECTS } from "./operator-projects.ts";
import { applySamples, deleteSamples, kindsOf, sampleNow, sampleOf, standing, update } from "./sample-life.ts";

/** A project of operators/ and a program that runs it; one of them has two. */
interface OperatorRun {
  readonly title: string;
  readonly folder: string;
  readonly project: OperatorProject;
  readonly program: Pick<ProgramLifeOptions, "start" | "resources">;
  readonly life: OperatorLife;
}

const RUNS: OperatorRun[] = [];
for (const folder of PROJECTS) {
  const project = await loadOperator(join(OPERATORS, folder));
  const life = LIVES[folder];
  assert.ok(life, `operator-lives.ts tells what the sample of ${folder} lives through`);
  RUNS.push({ title: folder, folder, project, program: managerOf(project.operator.controllers), life });
  if (folder !== "app") continue;
  const { startAppProgram } = await import(pathToFileURL(join(OPERATORS, folder, "src/program.ts")).href);
  const program = { start: startAppProgram, resources: project.resources };
  RUNS.push({ title: "app by hand", folder, project, program, life });
}

for (const folder of PROJECTS) {
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
}

/** Each operator, through the life of its sample: applied, run, changed, deleted. */
for (const { title, folder, project, program, life: facts } of RUNS) {
  test(`${title}: a kill after any single write changes nothing in the end`, async () => {
    const writes = await killAfterEveryWrite({
      ...program,
      steps: [
        applySamples(project),
        passTwoMinutes,
        ...facts.updates.flatMap((spec) => [update(project, spec), passTwoMinutes]),
        deleteSamples(project),
      ],
      state: ({ cluster }) => comparableState(cluster.client, kindsOf(project)),
    });
    assert.ok(writes.length > 3, `${writes.length} writes`);
  });

  test(`${title}: once converged it sends nothing, a second apply changes nothing, and deletion leaves nothing`, async () => {
    await using life = await startProgramLife(program);
    await life.settled(); // Namespaces get their accounts and certificates a moment after they are made.
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

  test(`${title}: the status tells how it stands with the spec it speaks of, and an event what was done`, async () => {
    await using life = await startProgramLife({ ...program, scripts: [{ image: UNPULLABLE, unpullable: true }] });
    await applySamples(project)(life);
    await life.cluster.advance("2m");
    const fine = { Ready: "True", Progressing: "False", Degraded: "False" };
    assert.deepEqual(await standing(life, project), fine);
    const told = await eventsAbout(life, project);
    assert.ok(told.includes(facts.event), told.join("\n"));
    await update(project, facts.failing.spec)(life);
    await life.cluster.advance("11m");
    assert.deepEqual(await standing(life, project), { Ready: "False", Progressing: "False", Degraded: "True" });
    const degraded = findCondition((await sampleNow(life, project)).status?.conditions, "Degraded");
    assert.match(degraded?.message ?? "", facts.failing.message);
    await applySamples(project)(life);
    await update(project, facts.healing ?? {})(life);
    await life.cluster.advance("2m");
    assert.deepEqual(await standing(life, project), fine);
  });

  test(`${title}: a spec that cannot be is refused, with the field and the reason`, async () => {
    await using life = await startProgramLife(program);
    await applySamples(project)(life);
    await assert.rejects(update(project, facts.invalid.spec)(life), facts.invalid.message);
  });
}

async function eventsAbout({ cluster: { client } }: ProgramLife, project: OperatorProject): Promise<readonly string[]> {
  const { sample } = sampleOf(project);
  const { items } = await client.list(Event, { allNamespaces: true });
  const about = items.filter(({ regarding }) => regarding?.kind === sample.kind);
  return about.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

async function passTwoMinutes({ cluster }: ProgramLife): Promise<void> {
  await cluster.advance("2m");
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
