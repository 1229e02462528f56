import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { seededRandom, type Transport } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { createHttp1Transport, createHttp2Transport, type HttpTransport } from "../contract/http-transport.ts";
import type { ChooseFaults } from "../server/faults.ts";
import { type ApiServer, createApiServer } from "../server/server.ts";
import { createStorage } from "../storage/memory.ts";
import { openSqliteJournal } from "../storage/sqlite.ts";
import { checkHistory } from "./check-history.ts";
import type { Change, History, Operation, Outcome } from "./history.ts";
import { recordHistory } from "./record-history.ts";

const TOKEN = "of-the-clients";
const CLIENT = { name: "client", groups: ["system:masters"] };
const CLIENTS = 8;
const WATCHERS = 4;
const OPERATIONS_EACH = 40;
const SEEDS = [1, 2, 3];

/** Loses requests and answers, and closes watches, of clients; never of the observer. */
function faultsFrom(seed: number): ChooseFaults {
  const random = seededRandom(seed);
  return ({ user, verb }) => {
    if (user !== CLIENT.name || random.next() > 0.2) return [];
    if (verb === "watch")
      return [{ kind: "close-watch", afterEvents: 2, as: random.next() < 0.5 ? "ended" : "broken" }];
    return [{ kind: random.next() < 0.5 ? "lose-answer" : "lose-request" }];
  };
}

interface Place {
  readonly server: ApiServer;
  /** A connection of its own. */
  connect(): Transport;
}

const closing: HttpTransport[] = [];
after(() => {
  for (const transport of closing) transport.close();
});

async function inProcess(seed: number, faults?: ChooseFaults, storage = createStorage()): Promise<Place> {
  const tokens = [{ token: TOKEN, user: CLIENT }];
  const random = seededRandom(seed);
  const server = await createApiServer({ clock: systemClock, random, storage, tokens, ...(faults ? { faults } : {}) });
  return { server, connect: () => server.transportAs(CLIENT) };
}

async function onSockets(seed: number, connect: typeof createHttp1Transport, faults?: ChooseFaults): Promise<Place> {
  const { server } = await inProcess(seed, faults);
  const { url, certificateAuthority = "" } = await server.listen();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const open = (): Transport => {
    const transport = connect({ url, certificateAuthority, headers });
    closing.push(transport);
    return transport;
  };
  return { server, connect: open };
}

const PLACES: Readonly<Record<string, (seed: number) => Promise<Place>>> = {
  "in process": (seed) => inProcess(seed),
  "on SQLite": (seed) => inProcess(seed, undefined, createStorage({ journal: openSqliteJournal(":memory:") })),
  "over HTTP/1.1": (seed) => onSockets(seed, createHttp1Transport),
  "over HTTP/2": (seed) => onSockets(seed, createHttp2Transport),
  "over HTTP/1.1 that loses requests, answers and watches": (seed) =>
    onSockets(seed, createHttp1Transport, faultsFrom(seed)),
};

for (const [where, open] of Object.entries(PLACES)) {
  for (const seed of SEEDS) {
    test(`${where}: what concurrent clients see is strictly serialisable (seed ${seed})`, async () => {
      const { server, connect } = await open(seed);
      await using _closing = server;
      const history = await recordHistory({
        clients: Array.from({ length: CLIENTS }, connect),
        watchers: Array.from({ length: WATCHERS }, connect),
        observer: server.transport,
        namespace: "default",
        operationsEach: OPERATIONS_EACH,
        random: seededRandom(seed),
      });
      assert.deepEqual(checkHistory(history), []);
      assert.equal(history.operations.length, CLIENTS * OPERATIONS_EACH);
      const kinds = new Set(history.operations.map(({ outcome }) => outcome.type));
      for (const kind of ["read", "created", "replaced", "deleted", "absent", "exists", "listed"] as const) {
        assert.ok(kinds.has(kind), `nobody ${kind}`);
      }
    });
  }
}

test("a server that lags is found out", async () => {
  const lag: ChooseFaults = ({ user, revision }) =>
    user === CLIENT.name ? [{ kind: "stale-view", revision: revision - 2 }] : [];
  const { server, connect } = await inProcess(1, lag);
  await using _closing = server;
  const history = await recordHistory({
    clients: Array.from({ length: CLIENTS }, connect),
    watchers: [],
    observer: server.transport,
    namespace: "default",
    operationsEach: OPERATIONS_EACH,
    random: seededRandom(1),
  });
  assert.ok(checkHistory(history).length > 0);
});

describe("the check finds", () => {
  const change = (revision: number, value: string, type: Change["type"] = "put"): Change => ({
    revision,
    key: "a",
    type,
    value,
    uid: "u",
  });
  const changes = [change(2, "one"), change(3, "two"), change(4, "two", "delete")];
  const operation = (invoked: number, outcome: Outcome, returned = invoked + 0.5): Operation => ({
    client: 0,
    key: outcome.type === "listed" ? "" : "a",
    invoked,
    returned,
    outcome,
  });
  const created = operation(1, { type: "created", revision: 2, value: "one" });
  const replaced = operation(2, { type: "replaced", revision: 3, value: "two", expected: 2 });
  const problemsOf = (history: Partial<History>): number =>
    checkHistory({ changes, operations: [], watches: [], ...history }).length;

  test("nothing wrong where all is well, also with reads at the same time as a write", () => {
    const old = operation(2.1, { type: "read", revision: 2, value: "one" });
    const gone = operation(4, { type: "absent" });
    const listed = operation(5, { type: "listed", revision: 9, revisions: new Map() });
    const watches = [{ after: 2, revisions: [3, 4] }];
    assert.equal(problemsOf({ operations: [created, replaced, old, gone, listed], watches }), 0);
  });

  test("a stale read", () => {
    const stale = operation(3, { type: "read", revision: 2, value: "one" });
    assert.equal(problemsOf({ operations: [created, replaced, stale] }), 1);
  });

  test("a write that was acknowledged and is not there, or followed upon another state", () => {
    assert.equal(problemsOf({ operations: [operation(1, { type: "created", revision: 7, value: "x" })] }), 1);
    const blind = operation(2, { type: "replaced", revision: 3, value: "two", expected: 1 });
    assert.equal(problemsOf({ operations: [blind] }), 1);
  });

  test("a read that goes back behind another", () => {
    const absent = operation(1, { type: "absent" });
    const late = operation(5, { type: "absent" });
    const between = operation(3, { type: "read", revision: 3, value: "two" });
    assert.equal(problemsOf({ operations: [absent, between, late] }), 0);
    const back = operation(6, { type: "read", revision: 2, value: "one" });
    assert.equal(problemsOf({ operations: [absent, between, late, back] }), 1);
  });

  test("a torn list", () => {
    const torn = operation(1, { type: "listed", revision: 3, revisions: new Map([["a", 2]]) });
    assert.equal(problemsOf({ operations: [torn] }), 1);
  });

  test("a watch that misses, repeats or reorders", () => {
    for (const revisions of [[3], [3, 3, 4], [4, 3], [2, 3, 4]]) {
      assert.equal(problemsOf({ watches: [{ after: 2, revisions }] }), 1);
    }
  });
});
