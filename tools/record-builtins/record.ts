/**
 * Records what a real kube-apiserver answers to the corpus, as goldens beside the strategies of the embedded server.
 * Admission plugins that change objects are off: this is about the kinds alone.
 * usage: node tools/record-builtins/record.ts <folder with etcd and kube-apiserver>
 */
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { normalize } from "../../packages/apiserver/src/builtin/testdata/normalize.ts";
import { type ControlPlane, startControlPlane } from "../../packages/testing/src/real/control-plane.ts";
import { corpus } from "./corpus.ts";
import type { Step } from "./scenario.ts";

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

interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

const [programs] = process.argv.slice(2);
if (programs === undefined) throw new Error("usage: record.ts <folder with etcd and kube-apiserver>");
await using plane = await startControlPlane({
  programs,
  apiServerFlags: [`--disable-admission-plugins=${PLUGINS_OFF.join(",")}`],
});
let exchanges = 0;
for (const [file, scenarios] of Object.entries(corpus)) {
  const recorded: object[] = [];
  for (const { name, steps } of scenarios) {
    const answered: object[] = [];
    for (const step of steps) {
      const answer = await ask(plane, step);
      answered.push({ request: step, answer: normalize(answer) });
      exchanges += 1;
    }
    recorded.push({ name, steps: answered });
  }
  const folder = new URL("../../packages/apiserver/src/builtin/testdata/", import.meta.url);
  await writeFile(new URL(`${file}.json`, folder), `${JSON.stringify(recorded, undefined, 1)}\n`);
}
console.log(`${exchanges} exchanges recorded`);

function ask({ url, token, certificateAuthority }: ControlPlane, step: Step): Promise<Answer> {
  const { method, path, body, contentType = "application/json" } = step;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": contentType,
    "user-agent": "corpus",
    "content-length": Buffer.byteLength(text),
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
