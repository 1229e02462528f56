import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { administrator } from "../request/user.ts";
import { createApiServer } from "./server.ts";

const SLOW = "/slow";

test("a user with too many requests under way is told to come back, and nobody else is", async () => {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const slow = async () => {
    await held;
    return { status: 200, headers: {}, body: "done" };
  };
  await using server = await createApiServer({
    clock: systemClock,
    random: systemRandom,
    authorization: "AlwaysAllow",
    paths: new Map([[SLOW, slow]]),
    inFlightMax: 2,
  });
  const as = (name: string) => server.transportAs({ name, groups: [] });
  const ask = { method: "GET", path: SLOW };
  const underWay = [as("eager").send(ask), as("eager").send(ask)];
  const refused = await as("eager").send({ method: "GET", path: "/api/v1/namespaces" });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers["retry-after"], "1");
  assert.match(Buffer.from(await readBody(refused.body)).toString(), /^Too many requests, please try again later\.\n$/);
  assert.equal((await as("other").send({ method: "GET", path: "/api/v1/namespaces" })).status, 200);
  const watching = new AbortController();
  const watch = { method: "GET", path: "/api/v1/namespaces?watch=1", signal: watching.signal };
  assert.equal((await as("eager").send(watch)).status, 200);
  watching.abort();
  const admins = [1, 2, 3].map(() => server.transportAs(administrator).send(ask));
  letGo();
  for (const answer of await Promise.all([...underWay, ...admins])) assert.equal(answer.status, 200);
  assert.equal((await as("eager").send(ask)).status, 200);
});
