/**
 * `node tools/differential/run.ts [runs] [first seed]`: puts the same random requests to kube-apiserver and to an embedded server
 * and prints every answer that differs without an explanation (explained.ts). 40 requests a run; needs the programs of
 * `npm run test:real`.
 */

import { createApiServer } from "@kubewright/apiserver";
import { readBody, sleep, type Transport } from "@kubewright/core/ports";
import { systemClock, systemFiles, systemRandom } from "@kubewright/node";
import { createHttpTransport, findConnection } from "@kubewright/runtime";
import { startControlPlane } from "@kubewright/testing";
import { realPrograms } from "../real-cluster/build.ts";
import { compareRun, type FoundDifference } from "./compare.ts";
import { explain } from "./explained.ts";
import { CRDS } from "./kinds.ts";

const REQUESTS_PER_RUN = 40;
const CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** kube-apiserver holds up the first object of a new kind for two seconds. */
const NEW_KIND_MS = 2500;

/** How a comparison ended. */
export interface Comparison {
  readonly requests: number;
  /** How many runs ended with a difference that is known, by the reason. */
  readonly explained: ReadonlyMap<string, number>;
  readonly differences: readonly FoundDifference[];
}

/** Compares an embedded server with kube-apiserver. */
export async function compareServers(
  programs: string,
  { runs, firstSeed }: { readonly runs: number; readonly firstSeed: number },
): Promise<Comparison> {
  await using plane = await startControlPlane({ programs });
  const { kubeconfig } = plane;
  const real = createHttpTransport(
    await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock }),
  );
  await using embedded = await createApiServer({ clock: systemClock, random: systemRandom });
  const servers = [embedded.transport, real];
  try {
    for (const server of servers) await installKinds(server);
    await sleep(systemClock, NEW_KIND_MS, new AbortController().signal);
    return await compareRuns(servers, { runs, firstSeed });
  } finally {
    real.close();
  }
}

async function compareRuns(
  servers: readonly Transport[],
  { runs, firstSeed }: { readonly runs: number; readonly firstSeed: number },
): Promise<Comparison> {
  let requests = 0;
  const explained = new Map<string, number>();
  const differences: FoundDifference[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const { difference, explanation, ...outcome } = await compareRun(servers, {
      seed,
      count: REQUESTS_PER_RUN,
      explain,
    });
    requests += outcome.requests;
    if (difference !== undefined) differences.push(difference);
    if (explanation !== undefined) explained.set(explanation, (explained.get(explanation) ?? 0) + 1);
  }
  return { requests, explained, differences };
}

async function installKinds(server: Transport): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const crd of CRDS) {
    const response = await server.send({ method: "POST", path: CRD_PATH, headers, body: JSON.stringify(crd) });
    const text = Buffer.from(await readBody(response.body)).toString("utf8");
    if (response.status !== 201) throw new Error(`the kinds of the comparison are refused: ${text}`);
  }
}

/** A difference as text: the request, and where its answers part. */
export function describeDifference({ seed, index, request, answers }: FoundDifference): string {
  const [embedded, real] = answers.map((answer) => JSON.stringify(answer, showBigInt));
  const body = JSON.stringify(request.body, showBigInt);
  return [
    `run ${seed}, request ${index}: ${request.method} ${request.path} ${body}`,
    `  ${embedded}`,
    `  ${real}`,
  ].join("\n");
}

function showBigInt(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

if (import.meta.main) {
  const [runs = "100", firstSeed = "1"] = process.argv.slice(2);
  const programs = await realPrograms("control-plane", (line) => console.error(line));
  const startMs = performance.now();
  const found = await compareServers(programs, { runs: Number(runs), firstSeed: Number(firstSeed) });
  for (const difference of found.differences) console.log(describeDifference(difference));
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const { requests, explained, differences } = found;
  for (const [why, count] of explained) console.log(`explained ${count} times: ${why}`);
  const known = [...explained.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${requests} requests, ${differences.length} differences, ${known} explained, ${seconds} s`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
