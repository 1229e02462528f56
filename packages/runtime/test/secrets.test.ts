/** S10: values of Secrets and credentials stand in no log, event, status, metric, trace or error that the runtime makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@kubewright/api/core/v1";
import { Event } from "@kubewright/api/events/v1";
import type { Transport } from "@kubewright/core/ports";
import { createConsoleLogger, systemClock } from "@kubewright/node";
import { createClient, createHttpTransport, defineController, findConnection, type Tracer } from "@kubewright/runtime";
import { Harness, Widget } from "./harness.ts";

const MARKER = "tainted-value-4711";
const ENCODED = Buffer.from(MARKER).toString("base64");

/** Fails when a text has the value, plain or encoded. */
function assertClean(where: string, text: string): void {
  assert.ok(!text.includes(MARKER) && !text.includes(ENCODED), `${where}: ${text}`);
}

test("S10: a controller of Secrets leaves no value anywhere but in the Secrets", async () => {
  await using harness = await Harness.start();
  const lines: string[] = [];
  const spans: string[] = [];
  const note = (...values: readonly unknown[]): void => void spans.push(JSON.stringify(values.map(String)));
  const tracer: Tracer = {
    startActiveSpan: (name, options, work) => {
      note(name, JSON.stringify(options));
      return work({ setAttribute: note, recordException: note, setStatus: (status) => note(status.message), end() {} });
    },
  };
  const log = createConsoleLogger({ clock: harness.clock, level: "debug", write: (line) => lines.push(line) });
  const secretive = defineController({
    for: Widget,
    owns: [Secret],
    children: (widget) => [
      { apiVersion: "v1", kind: "Secret", metadata: { name: widget.metadata.name ?? "" }, data: { password: ENCODED } },
    ],
    status: (_widget, observed) => ({ ready: observed.problems.length === 0 }),
  });
  const reading = defineController({
    name: "reading",
    for: Widget,
    reads: [Secret],
    async reconcile(widget, { client, cache, log: own, attempt }) {
      const found = cache.get(Secret, widget.metadata.name ?? "");
      const { items } = await client.list(Secret);
      own.info("looked", { found, items, password: MARKER, headers: { authorization: `Bearer ${MARKER}` } });
      if (attempt < 3) throw new Error("failed", { cause: found });
    },
  });
  await harness.client.create(Secret, { metadata: { name: "taken" }, data: { password: ENCODED } });
  const manager = await harness.manage([secretive, reading], { log, tracer });
  for (const name of ["a", "taken"]) await harness.createWidget({ name });
  await harness.clock.advance(10_000);
  assert.equal((await harness.client.get(Secret, "a")).data?.["password"], ENCODED);
  assert.ok(lines.some((line) => line.includes("looked")) && spans.length > 0);
  for (const line of lines) assertClean("log", line);
  for (const span of spans) assertClean("trace", span);
  assertClean("metrics", manager.metrics.print());
  assertClean("events", JSON.stringify((await harness.client.list(Event)).items));
  assertClean("status", JSON.stringify((await harness.client.list(Widget)).items));
});

test("S10: a request that fails tells nothing of its credentials and its body", async () => {
  const failing: Transport = { send: () => Promise.reject(new Error("connect ECONNREFUSED")) };
  const transports = [
    failing,
    createHttpTransport({
      server: "https://127.0.0.1:1",
      headers: async () => ({ authorization: `Bearer ${MARKER}` }),
    }),
  ];
  for (const transport of transports) {
    const secret = { metadata: { name: "a" }, stringData: { password: MARKER } };
    await assert.rejects(createClient({ transport }).create(Secret, secret), (error: Error) => {
      assertClean("error", `${error.stack} ${JSON.stringify(error.cause)}`);
      return true;
    });
  }
});

for (const [what, user] of Object.entries({
  "a token": { token: MARKER, exec: { apiVersion: "client.authentication.k8s.io/v1", command: "login" } },
  "a password": { username: "me", password: MARKER, "auth-provider": { name: "gcp", config: { token: MARKER } } },
  "a key": { "client-key-data": ENCODED, tokenFile: "/missing" },
})) {
  test(`S11: a kubeconfig with ${what} that cannot be used is told without it`, async () => {
    const kubeconfig = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://api" } }],
      users: [{ name: "u", user }],
    };
    const read = async (path: string) => (path === "/k" ? Buffer.from(JSON.stringify(kubeconfig)) : undefined);
    const files = { read, write: async () => {} };
    const use = async (): Promise<unknown> =>
      (await findConnection({ kubeconfig: "/k", env: {}, files, clock: systemClock })).headers?.();
    await assert.rejects(use, (error: Error) => {
      assertClean("error", `${error.stack}`);
      return true;
    });
  });
}
