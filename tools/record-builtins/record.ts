/**
 * Records what a real kube-apiserver answers to the corpus, as goldens beside the strategies of the embedded server.
 * Admission plugins that change objects are off for scenarios about the kinds alone, and on for those about admission.
 *
 *   node tools/record-builtins/record.ts
 */
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { sleep } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { normalize } from "../../packages/apiserver/src/builtin/testdata/normalize.ts";
import { type ControlPlane, startControlPlane } from "../../packages/testing/src/real/control-plane.ts";
import { realPrograms } from "../real-cluster/build.ts";
import { admittedCorpus, corpus } from "./corpus.ts";
import type { Scenario, Step } from "./scenario.ts";

const PLUGINS_OFF = [
  "DefaultIngressClass",
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "LimitRanger",
  "PersistentVolumeClaimResize",
  "PodSecurity",
  "PodTopologyLabels",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
  "ServiceAccount",
  "StorageObjectInUseProtection",
  "TaintNodesByCondition",
];

/** Until then kube-apiserver's plugins have seen what was set up. */
const LEARNED_MS = 2000;

interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

/** What one exchange or scenario of the goldens holds, as JSON. */
export interface RecordedScenario {
  readonly name: string;
  readonly steps: readonly { readonly request: Step; readonly answer: unknown }[];
}

/** Where the goldens are. */
export const GOLDENS = new URL("../../packages/apiserver/src/builtin/testdata/", import.meta.url);

/** Puts the corpus to a kube-apiserver of its own; the recorded scenarios by file. */
export async function recordBuiltins(programs: string): Promise<Readonly<Record<string, readonly RecordedScenario[]>>> {
  const plain = await recordCorpus(programs, corpus, [`--disable-admission-plugins=${PLUGINS_OFF.join(",")}`]);
  return { ...plain, ...(await recordCorpus(programs, admittedCorpus, [])) };
}

async function recordCorpus(
  programs: string,
  scenariosByFile: typeof corpus,
  apiServerFlags: readonly string[],
): Promise<Readonly<Record<string, readonly RecordedScenario[]>>> {
  await using plane = await startControlPlane({ programs, apiServerFlags });
  const files: Record<string, readonly RecordedScenario[]> = {};
  for (const [file, scenarios] of Object.entries(scenariosByFile)) {
    const recorded: RecordedScenario[] = [];
    for (const scenario of scenarios) recorded.push(await recordScenario(plane, scenario));
    files[file] = recorded;
  }
  return files;
}

async function recordScenario(plane: ControlPlane, { name, setup = [], steps }: Scenario): Promise<RecordedScenario> {
  const answered: { request: Step; answer: unknown }[] = [];
  const record = async (step: Step): Promise<void> => {
    answered.push({ request: step, answer: normalize(await ask(plane, step)) });
  };
  for (const step of setup) await record(step);
  if (setup.length > 0) await sleep(systemClock, LEARNED_MS, new AbortController().signal);
  for (const step of steps) await record(step);
  return { name, steps: answered };
}

function ask({ url, token, certificateAuthority }: ControlPlane, step: Step): Promise<Answer> {
  const { method, path, body, contentType = "application/json", accept } = step;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": contentType,
    "user-agent": "corpus",
    "content-length": Buffer.byteLength(text),
    ...(accept === undefined ? {} : { accept }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, ca: certificateAuthority, agent: false }, (response) => {
      let received = "";
      response.on("data", (chunk: Buffer) => {
        received += chunk.toString();
      });
      response.on("end", () => {
        const warnings = [response.headers["warning"] ?? []].flat();
        const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
        resolve({ status: response.statusCode ?? 0, warnings, body: isJson ? JSON.parse(received) : received });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

if (import.meta.main) {
  const files = await recordBuiltins(await realPrograms("control-plane", (line) => console.error(line)));
  for (const [file, recorded] of Object.entries(files)) {
    await writeFile(new URL(`${file}.json`, GOLDENS), `${JSON.stringify(recorded, undefined, 1)}\n`);
    console.log(`${file}: ${recorded.length} scenarios`);
  }
}
