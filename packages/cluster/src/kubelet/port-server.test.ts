import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod } from "@kubewright/api/core/v1";
import { openPort } from "./port-server.ts";
import type { ContainerScript } from "./script.ts";

const pod = {
  metadata: { name: "a", uid: "u" },
  spec: { containers: [{ name: "main", image: "app" }] },
  status: { containerStatuses: [{ name: "main", state: { running: {} } }] },
} as unknown as Pod;

/** Sends a request to a port of the pod and gives the whole answer. */
async function ask(scripts: readonly ContainerScript[], head: string, body = ""): Promise<string> {
  const port = await openPort({ pod, port: 80 }, scripts);
  port.write(`${head} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return Buffer.concat(await port.toArray()).toString();
}

test("a text answers every request", async () => {
  const answer = await ask([{ ports: { 80: "welcome" } }], "GET /any");
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n.*content-type: text\/plain.*\r\n\r\n.*welcome/is);
});

test("a function answers what it is asked", async () => {
  const ports = {
    80: ({ method, path, body }: { method: string; path: string; body: string }, { metadata }: Pod) => ({
      status: 201,
      body: `${metadata?.name}: ${method} ${path} ${body}`,
    }),
  };
  const answer = await ask([{ ports }], "POST /items?now", "apple");
  assert.match(answer, /^HTTP\/1\.1 201 Created\r\n.*a: POST \/items\?now apple/s);
});

test("a script that throws answers 500", async () => {
  const ports = {
    80: () => {
      throw new Error("out of order");
    },
  };
  assert.match(await ask([{ ports }], "GET /"), /^HTTP\/1\.1 500 .*out of order/s);
});

test("a port refuses connections when nobody listens or the container does not run", async () => {
  const scripts = [{ ports: { 80: "welcome" } }];
  await assert.rejects(openPort({ pod, port: 81 }, scripts), /failed to connect to localhost:81 .*connection refused/);
  const waiting = { ...pod, status: {} };
  await assert.rejects(openPort({ pod: waiting, port: 80 }, scripts), /connection refused/);
});
