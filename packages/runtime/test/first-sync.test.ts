/** R14: filling a cache takes hardly more memory than the filled cache: what arrives is kept piece by piece, and nothing is gathered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ConfigMap } from "@kubewright/api/core/v1";
import { seededRandom, silentLogger, type Transport } from "@kubewright/core/ports";
import { createClient, Informer } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import { answerOf } from "./faults.ts";
import { Memory } from "./memory.ts";

setFlagsFromString("--expose-gc");
const memory = new Memory(process, runInNewContext("gc") as () => void);

const OBJECTS = 6000;
const PER_PIECE = 50;
/** A look takes a whole collection of garbage. */
const LOOKS = 12;
const PEAK_MAX = 1.5;

/** An object of 2 KB, half of which are managedFields, as servers send them. */
function configMap(index: number): object {
  const managedFields = [
    { manager: "kubectl", operation: "Update", fieldsV1: { "f:data": { path: "f".repeat(900) } } },
  ];
  const metadata = { name: `m${index}`, namespace: "default", resourceVersion: String(index + 1), managedFields };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value: String(index).padEnd(1000, "x") } };
}

const range = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

/** What a server with these objects answers; `look` is called now and again on the way, when a piece has been taken. */
const SERVERS: Readonly<Record<string, (look: () => void) => Transport>> = {
  "initial events": (look) => ({
    async send({ signal }) {
      return { status: 200, headers: {}, body: initialEvents(look, signal) };
    },
  }),
  pages: (look) => ({
    async send({ path, signal }) {
      if (path.includes("sendInitialEvents")) return answerOf({ kind: "Status", code: 422, message: "forbidden" });
      if (path.includes("watch=true")) return { status: 200, headers: {}, body: untilAborted(signal) };
      const { searchParams } = new URL(path, "https://api");
      const from = Number(searchParams.get("continue") ?? "0");
      const limit = Number(searchParams.get("limit"));
      look();
      const next = from + limit < OBJECTS ? { continue: String(from + limit) } : {};
      const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "9999", ...next } };
      return { ...answerOf({ code: 200, ...list, items: range(from, limit).map(configMap) }) };
    },
  }),
};

async function* initialEvents(look: () => void, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
  for (let from = 0; from < OBJECTS; from += PER_PIECE) {
    yield Buffer.from(
      range(from, PER_PIECE)
        .map((index) => line("ADDED", configMap(index)))
        .join(""),
    );
    if (from % (OBJECTS / LOOKS) === 0) look();
  }
  look();
  const annotations = { "k8s.io/initial-events-end": "true" };
  yield Buffer.from(line("BOOKMARK", { metadata: { resourceVersion: "9999", annotations } }));
  yield* untilAborted(signal);
}

/** A watch on which nothing happens. */
async function* untilAborted(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

for (const [way, serverOf] of Object.entries(SERVERS)) {
  test(`R14: while a cache is filled by ${way} it takes at most ${PEAK_MAX} times the memory of the filled one`, async () => {
    const clock = new VirtualClock();
    let peak = 0;
    const look = (): void => {
      peak = Math.max(peak, memory.reachableBytes());
    };
    const client = createClient({ transport: serverOf(look) });
    const ports = { clock, random: seededRandom(1), log: silentLogger };
    const informer = new Informer({ ...ports, client, definition: ConfigMap });
    informer.subscribe(() => {});
    const before = await memory.settledBytes();
    informer.start();
    await clock.advanceUntil(() => informer.synced);
    look();
    const settled = (await memory.settledBytes()) - before;
    assert.equal(informer.store.size, OBJECTS);
    const ratio = (peak - before) / settled;
    assert.ok(ratio <= PEAK_MAX, `${ratio.toFixed(2)} times ${(settled / 1e6).toFixed(1)} MB`);
    const textBytes = OBJECTS * JSON.stringify(configMap(0)).length;
    assert.ok(settled <= textBytes, `${settled} bytes for ${textBytes} of text`); // managedFields are dropped.
    await informer.stop();
  });
}
