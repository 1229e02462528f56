/** Logs and connections of pods come from whoever runs them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody, seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type ApiServer, createApiServer, type PodHooks } from "../index.ts";

const PODS = "/api/v1/namespaces/default/pods";

async function send(
  { transport }: ApiServer,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await transport.send({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: Buffer.from(await readBody(response.body)).toString("utf8") };
}

async function startWithPod(pods: PodHooks): Promise<ApiServer> {
  const server = await createApiServer({ clock: systemClock, random: seededRandom(1), pods });
  const containers = [{ name: "main", image: "nginx" }];
  await send(server, "POST", PODS, { metadata: { name: "a" }, spec: { containers } });
  await send(server, "POST", `${PODS}/a/binding`, { metadata: { name: "a" }, target: { name: "node-1" } });
  return server;
}

test("logs are read by the hook, with the options of the request", async () => {
  await using server = await startWithPod({
    readLogs: async ({ pod, container, tailLines, follow }) =>
      `${pod.metadata?.name} ${container} ${tailLines} ${follow}\n`,
  });
  const { status, text } = await send(server, "GET", `${PODS}/a/log?tailLines=5&follow=true`);
  assert.deepEqual({ status, text }, { status: 200, text: "a main 5 true\n" });
});

test("connections are answered by the hook", async () => {
  await using server = await startWithPod({
    connect: async ({ kind, container, call }) => ({
      status: 200,
      headers: {},
      body: `${kind} ${container} ${call.info.query.getAll("command").join(" ")}`,
    }),
  });
  const { text } = await send(server, "POST", `${PODS}/a/exec?command=ls&command=-l`);
  assert.equal(text, "exec main ls -l");
});
