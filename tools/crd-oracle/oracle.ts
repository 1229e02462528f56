/**
 * Asks a real kube-apiserver about CRDs and records its answers as golden files of packages/core:
 * - test/testdata/accepted-crds.json: the CRDs of test/resources.ts, each accepted without a warning;
 * - src/crd/testdata/crd-validation.json: wrong CRDs (cases.ts) with the errors and warnings they get.
 *
 *   node tools/crd-oracle/oracle.ts
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defineResource, toCrd } from "@kubewright/core/schema";
import { startControlPlane } from "@kubewright/testing";
import { randomSpec } from "../../packages/core/test/random-schema.ts";
import { resources } from "../../packages/core/test/resources.ts";
import { realPrograms } from "../real-cluster/build.ts";
import { type Answer, type Call, callerOf } from "./api-server.ts";
import { cases } from "./cases.ts";

interface StatusBody {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { reason: string; field: string; message: string }[] };
  readonly metadata?: { readonly resourceVersion?: string; readonly name?: string };
  readonly status?: { readonly conditions?: readonly { type: string; status: string; message?: string }[] };
}

const RANDOM_SCHEMAS = 600;
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** The package with the golden files. */
export const CORE: string = resolve(import.meta.dirname, "../../packages/core");

/** What the golden files of packages/core hold, by their path in it. */
export async function recordCrds(programs: string): Promise<Readonly<Record<string, unknown>>> {
  await using controlPlane = await startControlPlane({ programs });
  const call = callerOf(controlPlane);
  const files = {
    "test/testdata/accepted-crds.json": await acceptResources(call),
    "src/crd/testdata/crd-validation.json": await recordCases(call),
  };
  await acceptRandomDefinitions(call);
  return files;
}

/** Creates each CRD for real, and waits until it is established. */
async function acceptResources(send: Call): Promise<unknown[]> {
  const accepted = [];
  for (const resource of resources) {
    const crd = toCrd(resource);
    const { code, body, warnings } = await send("POST", `${CRDS}?fieldValidation=Strict`, crd);
    if (code !== 201) throw new Error(`${crd.metadata.name} was refused: ${(body as StatusBody).message}`);
    if (warnings.length > 0) throw new Error(`${crd.metadata.name} got warnings: ${warnings.join("; ")}`);
    await untilEstablished(send, crd.metadata.name);
    accepted.push(crd);
  }
  return accepted;
}

/** What we accept of random schemas, kube-apiserver accepts too. */
async function acceptRandomDefinitions(send: Call): Promise<void> {
  for (let seed = 1; seed <= RANDOM_SCHEMAS; seed += 1) {
    const crd = tryDefine(seed);
    if (crd === undefined) continue;
    const { code, body, warnings } = await send("POST", `${CRDS}?dryRun=All&fieldValidation=Strict`, crd);
    const problem = code === 201 ? warnings.join("; ") : (body as StatusBody).message;
    if (problem !== "") throw new Error(`seed ${seed}: ${problem}\n${JSON.stringify(crd)}`);
  }
}

function tryDefine(seed: number): object | undefined {
  const names = { group: "example.com", version: "v1", kind: "Random" };
  try {
    return toCrd(defineResource({ ...names, spec: randomSpec(seed, { unions: seed % 2 === 0 }) }));
  } catch {
    return undefined;
  }
}

async function untilEstablished(send: Call, name: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status } = (await send("GET", `${CRDS}/${name}`)).body as StatusBody;
    const conditions = status?.conditions ?? [];
    const bad = conditions.find(({ type }) => type === "NonStructuralSchema");
    if (bad !== undefined) throw new Error(`${name}: ${bad.message}`);
    if (conditions.some(({ type, status }) => type === "Established" && status === "True")) return;
    await delay(100);
  }
  throw new Error(`${name} was not established`);
}

async function recordCases(send: Call): Promise<unknown[]> {
  const creates = [];
  for (const { name, crd } of cases.filter(({ old }) => old === undefined)) {
    creates.push({ name, crd, ...outcome(await send("POST", `${CRDS}?dryRun=All`, crd)) });
  }
  return [...creates, ...(await recordUpdates(send))];
}

/** All updates are of the same CRD, which is really there; they are dry runs. */
async function recordUpdates(send: Call): Promise<unknown[]> {
  const updates = cases.filter(({ old }) => old !== undefined);
  const { metadata: { name = "" } = {} } = (await send("POST", CRDS, updates[0]?.old)).body as StatusBody;
  await untilEstablished(send, name);
  const stored = (await send("GET", `${CRDS}/${name}`)).body as StatusBody;
  const recorded = [];
  for (const { crd, old, name: title } of updates) {
    const metadata = { ...(crd["metadata"] as object), resourceVersion: stored.metadata?.resourceVersion };
    const answer = await send("PUT", `${CRDS}/${name}?dryRun=All`, { ...crd, metadata });
    recorded.push({ name: title, crd, old, ...outcome(answer) });
  }
  return recorded;
}

function outcome(answer: Answer): object {
  const { details, message } = answer.body as StatusBody;
  const errors = (details?.causes ?? []).map(({ reason, field, message }) => ({
    type: reason,
    field,
    message: message.replaceAll(/0xc[0-9a-f]+/g, "0x0"), // addresses differ from run to run
  }));
  const refused = answer.code >= 400;
  return {
    code: answer.code,
    ...(refused && errors.length === 0 ? { message } : {}),
    errors: errors.sort((left, right) => compare(text(left), text(right))),
    warnings: [...answer.warnings].sort(compare),
  };
}

function text(error: { field: string; message: string }): string {
  return `${error.field}: ${error.message}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

if (import.meta.main) {
  const files = await recordCrds(await realPrograms("control-plane", (line) => console.error(line)));
  for (const [file, value] of Object.entries(files)) {
    writeFileSync(resolve(CORE, file), `${JSON.stringify(value, null, 1)}\n`);
    console.log(`wrote packages/core/${file}`);
  }
}
