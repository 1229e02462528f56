import assert from "node:assert/strict";
import { test } from "node:test";
import { Pod, Service } from "@kubewright/api/core/v1";
import type { ExecInput } from "@kubewright/cluster";
import { readBody } from "@kubewright/core/ports";
import { attach as attachTo, exec } from "@kubewright/runtime";
import { startCluster, type TestCluster } from "@kubewright/testing";

const spec = { containers: [{ name: "main", image: "app" }] };

test("logs answer from the script, cut as asked", async () => {
  const scripts = [{ image: "app", logs: "one\ntwo\nthree\n" }];
  await using cluster = await startCluster({ scripts });
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec });
  await cluster.settled();
  assert.deepEqual(await logs(cluster, ""), [200, "one\ntwo\nthree\n"]);
  assert.deepEqual(await logs(cluster, "?tailLines=2"), [200, "two\nthree\n"]);
  assert.deepEqual(await logs(cluster, "?limitBytes=5"), [200, "one\nt"]);
  const [, stamped] = await logs(cluster, "?tailLines=1&timestamps=true");
  assert.match(stamped, /^2026-01-01T00:00:00Z three\n$/);
});

test("a container that has not started has no logs yet, and one without an earlier run no previous ones", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "app", startsAfter: "1m", logs: "up\n" }] });
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec });
  await cluster.settled();
  const [code, early] = await logs(cluster, "");
  assert.equal(code, 400);
  assert.match(early, /container \\"main\\" in pod \\"a\\" is waiting to start: ContainerCreating/);
  await cluster.advance("1m");
  assert.deepEqual(await logs(cluster, ""), [200, "up\n"]);
  const [, previous] = await logs(cluster, "?previous=true");
  assert.match(previous, /previous terminated container \\"main\\" in pod \\"a\\" not found/);
});

test("logs that are followed end with the container", async () => {
  await using cluster = await startCluster({ scripts: [{ image: "app", runsFor: "1h", logs: "up\n" }] });
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec: { ...spec, restartPolicy: "Never" } });
  await cluster.settled();
  let followed: string | undefined;
  const following = logs(cluster, "?follow=true").then(([, text]) => {
    followed = text;
  });
  await cluster.advance("30m");
  assert.equal(followed, undefined);
  await cluster.advance("31m");
  await following;
  assert.equal(followed, "up\n");
});

test("a command needs a connection that can be upgraded", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec });
  await cluster.settled();
  const path = "/api/v1/namespaces/default/pods/a/exec?command=ls";
  const { status, body } = await cluster.transport.send({ method: "POST", path });
  assert.equal(status, 400);
  assert.match(Buffer.from(await readBody(body)).toString(), /Upgrade request required/);
});

test("a command reads what its client says", async () => {
  const cat = async (_command: readonly string[], _pod: Pod, input: ExecInput) => ({ stdout: await input.text() });
  const attach = async (_pod: Pod, input: ExecInput) => ({ stdout: `attached ${await input.text()}` });
  await using cluster = await startCluster({ scripts: [{ image: "app", exec: cat, attach }] });
  await cluster.client.create(Pod, { metadata: { name: "a" }, spec });
  await cluster.settled();
  const command = ["cat"];
  const { client } = cluster;
  assert.deepEqual(await exec(client, "a", { command, stdin: "hi\n" }), { exitCode: 0, stdout: "hi\n", stderr: "" });
  assert.deepEqual(await exec(client, "a", { command }), { exitCode: 0, stdout: "", stderr: "" });
  assert.equal((await attachTo(client, "a", { stdin: "hi" })).stdout, "attached hi");
});

test("services are reached through the API server", async () => {
  const scripts = [{ image: "app", ports: { 8080: "hello\n" } }];
  await using cluster = await startCluster({ scripts });
  const labels = { app: "web" };
  await cluster.client.create(Pod, { metadata: { name: "a", labels }, spec });
  const ports = [{ port: 80, targetPort: 8080 }];
  await cluster.client.create(Service, { metadata: { name: "web" }, spec: { selector: labels, ports } });
  await cluster.settled();
  const path = "/api/v1/namespaces/default/services/web:80/proxy/";
  const { status, body } = await cluster.transport.send({ method: "GET", path });
  assert.deepEqual([status, Buffer.from(await readBody(body)).toString()], [200, "hello\n"]);
});

async function logs(cluster: TestCluster, query: string): Promise<[number, string]> {
  const path = `/api/v1/namespaces/default/pods/a/log${query}`;
  const { status, body } = await cluster.transport.send({ method: "GET", path });
  return [status, Buffer.from(await readBody(body)).toString()];
}
