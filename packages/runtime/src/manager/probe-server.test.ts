import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { createClient } from "../client/create-client.ts";
import { createMetricsAccess } from "./metrics-access.ts";
import { startProbeServer } from "./probe-server.ts";

function ask(port: number, path: string, method = "GET"): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, method, host: "127.0.0.1", agent: false }, async (response) => {
      resolve(`${response.statusCode} ${Buffer.concat(await response.toArray())}`);
    });
    outgoing.once("error", reject).end();
  });
}

test("known paths answer, others do not exist, and only reading is served", async () => {
  const answer = async (path: string) => (path === "/healthz" ? { status: 200, text: "ok\n" } : undefined);
  await using server = await startProbeServer({ address: "127.0.0.1:0", answer });
  assert.equal(await ask(server.port, "/healthz?verbose"), "200 ok\n");
  assert.match(await ask(server.port, "/other"), /^404/);
  assert.match(await ask(server.port, "/healthz", "POST"), /^405/);
});

test("an address that is none is refused with an example", async () => {
  await assert.rejects(startProbeServer({ address: "8080", answer: async () => undefined }), /write ":8080"/);
});

/** A client of a server that knows one token and lets one user in. */
function reviewing(world: { up: boolean; asked: number }) {
  return createClient({
    transport: {
      async send({ path, body }) {
        if (!world.up) throw new Error("down");
        world.asked += 1;
        const { spec } = JSON.parse(String(body));
        const known = spec.token === "good" || spec.token === "weak";
        const status = path.includes("tokenreviews")
          ? { authenticated: known, user: { username: spec.token } }
          : { allowed: spec.user === "good" && spec.nonResourceAttributes.path === "/metrics" };
        return { status: 201, headers: {}, body: once(JSON.stringify({ metadata: {}, status })) };
      },
    },
  });
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("S5: metrics are for tokens that may read them, and for nobody while that cannot be asked", async () => {
  const world = { up: true, asked: 0 };
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonic: () => nowMs, schedule: () => () => {} };
  const access = createMetricsAccess(reviewing(world), clock);
  assert.equal(await access(undefined, "/metrics"), 401);
  assert.equal(await access("Bearer bad", "/metrics"), 401);
  assert.equal(await access("Bearer weak", "/metrics"), 403);
  assert.equal(await access("Bearer good", "/metrics"), 200);
  const { asked } = world;
  world.up = false;
  assert.equal(await access("Bearer good", "/metrics"), 200);
  assert.equal(world.asked, asked);
  nowMs += 61_000;
  assert.equal(await access("Bearer good", "/metrics"), 503);
});
