/** A fresh etcd and kube-apiserver for one measurement, with the Widget kind and the namespace in it; gone when disposed of. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startControlPlane } from "@kubewright/testing";
import { parse } from "yaml";
import { realPrograms } from "../../../tools/real-cluster/build.ts";
import { type Api, createApi, type JsonObject } from "./api.ts";
import { type Replacement, readStored, replaceBytes, writeStored } from "./etcd.ts";
import { cpuSeconds } from "./process-tree.ts";
import { parseRequestCounts, type RequestCounts } from "./request-counts.ts";
import { configMapPath, NAMESPACE, widget, widgetName, widgetPath } from "./widgets.ts";

/** Nobody is to be throttled by count: it is not the server's limits that are measured. */
const API_SERVER_FLAGS = [
  "--max-requests-inflight=4000",
  "--max-mutating-requests-inflight=2000",
  "--enable-priority-and-fairness=false",
];
const CRD_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SERVED_POLL_MS = 100;
const FILLED_POLL_MS = 200;

/** A control plane under test. */
export interface BenchPlane extends AsyncDisposable {
  readonly api: Api;
  /** Path of an admin's kubeconfig. */
  readonly kubeconfig: string;
  requests(): Promise<RequestCounts>;
  /** CPU seconds of etcd and kube-apiserver. */
  cpuSeconds(): number;
  /** Widgets with numbers in [from, to) as the API server stores Widget `from`, with their ConfigMaps if it has one. */
  fill(from: number, to: number, converged: boolean): Promise<void>;
}

/** Starts one. */
export async function startBenchPlane(): Promise<BenchPlane> {
  const programs = await realPrograms("control-plane", (line) => console.error(line));
  const plane = await startControlPlane({ programs, apiServerFlags: API_SERVER_FLAGS });
  const api = createApi(plane);
  const stop = async (): Promise<void> => {
    api[Symbol.dispose]();
    await plane.stop();
  };
  try {
    await installKinds(api);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    api,
    kubeconfig: plane.kubeconfig,
    requests: async () => parseRequestCounts(await api.text("/metrics")),
    cpuSeconds: () => plane.processes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    fill: (from, to, converged) => fill(plane.etcdUrl, api, { from, to, converged }),
    [Symbol.asyncDispose]: stop,
  };
}

async function installKinds(api: Api): Promise<void> {
  const crd: unknown = parse(readFileSync(join(import.meta.dirname, "../crd.yaml"), "utf8"));
  await api.call("POST", CRD_PATH, { body: crd });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
  await api.call("POST", "/api/v1/namespaces", { body: namespace });
  while ((await api.status(widgetPath())) !== 200) await delay(SERVED_POLL_MS);
}

interface Fill {
  readonly from: number;
  readonly to: number;
  readonly converged: boolean;
}

async function fill(etcdUrl: string, api: Api, { from, to, converged }: Fill): Promise<void> {
  const name = widgetName(from);
  const path = widgetPath(name);
  const template =
    (await api.callIfThere("GET", path)) ?? (await api.call("POST", widgetPath(), { body: widget(name) }));
  const owner = uidOf(template);
  await copies(etcdUrl, { prefix: `/registry/bench.example.com/widgets/${NAMESPACE}/`, from, to }, (number) => [
    [owner, uid("a", number)],
  ]);
  if (converged) {
    const child = uidOf(await api.call("GET", configMapPath(name)));
    await copies(etcdUrl, { prefix: `/registry/configmaps/${NAMESPACE}/`, from, to }, (number) => [
      [owner, uid("a", number)],
      [child, uid("b", number)],
    ]);
  }
  for (const last of [widgetPath(widgetName(to - 1)), ...(converged ? [configMapPath(widgetName(to - 1))] : [])]) {
    while ((await api.callIfThere("GET", `${last}?resourceVersion=0`)) === undefined) await delay(FILLED_POLL_MS);
  }
}

/** Copies what is stored for `from` to the numbers after it. */
async function copies(
  etcdUrl: string,
  { prefix, from, to }: { readonly prefix: string; readonly from: number; readonly to: number },
  replacements: (number: number) => readonly Replacement[],
): Promise<void> {
  const name = widgetName(from);
  const stored = await readStored(etcdUrl, prefix + name);
  const entries = function* (): Generator<readonly [string, Buffer]> {
    for (let number = from + 1; number < to; number += 1) {
      const copy = widgetName(number);
      yield [prefix + copy, replaceBytes(stored, [[name, copy], ...replacements(number)])];
    }
  };
  await writeStored(etcdUrl, entries());
}

/** A UID that nobody else has: random ones are of version 4. */
function uid(kind: "a" | "b", number: number): string {
  return `${kind}0000000-0000-0000-0000-${String(number).padStart(12, "0")}`;
}

function uidOf(object: JsonObject): string {
  return (object["metadata"] as { readonly uid: string }).uid;
}
