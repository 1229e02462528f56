import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, readBody, seededRandom, type Transport } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type ContractApi, createContractApi } from "../contract/api.ts";
import { createHttp1Transport, createHttp2Transport } from "../contract/http-transport.ts";
import { configMap } from "../contract/objects.ts";
import type { Fault, FaultedRequest } from "./faults.ts";
import { type ApiServer, createApiServer } from "./server.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
const DELAY_MS = 12_345;
const TOKEN = "of-a-client";
const CLIENT = { name: "client", groups: ["system:masters"] };

/** A server that asks `faultsOf` about the requests of CLIENT. */
async function startFaulty(
  faultsOf: (request: FaultedRequest) => readonly Fault[],
  clock: Clock = systemClock,
): Promise<ApiServer> {
  return createApiServer({
    clock,
    random: seededRandom(1),
    tokens: [{ token: TOKEN, user: CLIENT }],
    faults: (request) => (request.user === CLIENT.name ? faultsOf(request) : []),
  });
}

/** Requests that no fault concerns. */
function apart(server: ApiServer): ContractApi {
  return createContractApi(server.transport, "default");
}

function asClient(server: ApiServer): ContractApi {
  return createContractApi(server.transportAs(CLIENT), "default");
}

async function watchLines(transport: Transport, query: string): Promise<string[]> {
  const { body } = await transport.send({ method: "GET", path: `${PATH}?watch=true&${query}` });
  return Buffer.from(await readBody(body))
    .toString("utf8")
    .split("\n")
    .filter(Boolean);
}

for (const kind of ["lose-answer", "lose-request"] as const) {
  test(`${kind}: the client sees a broken connection, in process and on sockets`, async () => {
    await using server = await startFaulty(({ verb }) => (verb === "create" ? [{ kind }] : []));
    const { url, certificateAuthority = "" } = await server.listen();
    const options = { url, certificateAuthority, headers: { authorization: `Bearer ${TOKEN}` } };
    const sockets = [createHttp1Transport(options), createHttp2Transport(options)];
    for (const [index, transport] of [server.transportAs(CLIENT), ...sockets].entries()) {
      await assert.rejects(createContractApi(transport, "default").post(PATH, configMap(`a${index}`)));
      const stored = await apart(server).get(`${PATH}/a${index}`);
      assert.equal(stored.status, kind === "lose-answer" ? 200 : 404, "what was lost decides what is stored");
    }
    for (const transport of sockets) transport.close();
  });
}

test("a request is refused as an overloaded server does", async () => {
  await using server = await startFaulty(() => [{ kind: "refuse", code: 429, retryAfterSeconds: 3 }]);
  const answer = await asClient(server).get(PATH);
  assert.deepEqual([answer.status, answer.body.reason, answer.headers["retry-after"]], [429, "TooManyRequests", "3"]);
});

test("a delayed answer comes after the write, a delayed request before it", async () => {
  for (const kind of ["delay-answer", "delay-request"] as const) {
    const late: (() => void)[] = [];
    const clock: Clock = {
      now: () => systemClock.now(),
      monotonic: () => systemClock.monotonic(),
      schedule(delayMs, run) {
        if (delayMs !== DELAY_MS) return systemClock.schedule(delayMs, run);
        late.push(run);
        return () => {};
      },
    };
    const faults = ({ verb }: FaultedRequest): readonly Fault[] =>
      verb === "create" ? [{ kind, delayMs: DELAY_MS }] : [];
    await using server = await startFaulty(faults, clock);
    const pending = asClient(server).post(PATH, configMap("a"));
    while (late.length === 0) await apart(server).get(PATH);
    assert.equal((await apart(server).get(`${PATH}/a`)).status, kind === "delay-answer" ? 200 : 404);
    for (const run of late) run();
    assert.equal((await pending).status, 201);
  }
});

test("a stale view answers gets and lists from an older state, with its resourceVersion", async () => {
  let revision = 0;
  await using server = await startFaulty(() => (revision === 0 ? [] : [{ kind: "stale-view", revision }]));
  const api = apart(server);
  await api.post(PATH, configMap("a", { v: "1" }));
  const second = await api.post(PATH, configMap("b"));
  await api.put(`${PATH}/a`, configMap("a", { v: "2" }));
  await api.post(PATH, configMap("c"));
  await api.delete(`${PATH}/b`);
  revision = Number(second.body.metadata.resourceVersion);
  const stale = asClient(server);
  const list = await stale.get(PATH);
  assert.deepEqual(
    list.body.items.map(({ metadata, data }: { metadata: { name: string }; data?: object }) => [metadata.name, data]),
    [
      ["a", { v: "1" }],
      ["b", undefined],
    ],
  );
  assert.equal(list.body.metadata.resourceVersion, String(revision));
  assert.deepEqual((await stale.get(`${PATH}/a`)).body.data, { v: "1" });
  assert.equal((await stale.get(`${PATH}/c`)).status, 404);
  assert.equal((await stale.put(`${PATH}/a`, configMap("a", { v: "3" }))).status, 200, "writes are not stale");
});

test("a watch is closed after so many events, cleanly or not", async () => {
  for (const as of ["ended", "broken"] as const) {
    await using server = await startFaulty(() => [{ kind: "close-watch", afterEvents: 2, as }]);
    for (const name of ["a", "b", "c"]) await apart(server).post(PATH, configMap(name));
    const watching = watchLines(server.transportAs(CLIENT), "resourceVersion=0");
    if (as === "broken") await assert.rejects(watching, /socket hang up/);
    else
      assert.deepEqual(
        (await watching).map((line) => JSON.parse(line).object.metadata.name),
        ["a", "b"],
      );
  }
});

test("compaction sends a watch from before it back to the list", async () => {
  await using server = await startFaulty(({ verb }) => (verb === "watch" ? [{ kind: "compact" }] : []));
  const first = await apart(server).post(PATH, configMap("a"));
  await apart(server).post(PATH, configMap("b"));
  const query = `resourceVersion=${first.body.metadata.resourceVersion}`;
  const [line = ""] = await watchLines(server.transportAs(CLIENT), query);
  assert.equal(JSON.parse(line).object.code, 410);
});

test("who chooses faults is told of the request, once it may be served", async () => {
  const told: FaultedRequest[] = [];
  await using server = await startFaulty((request) => {
    told.push(request);
    return [];
  });
  await asClient(server).get(`${PATH}/a/unknown?x=1`);
  const [{ verb, resource, subresource, namespace, name } = assert.fail("nothing was told")] = told;
  assert.deepEqual([verb, resource, subresource, namespace, name], ["get", "configmaps", "unknown", "default", "a"]);
});
