import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isJsonObject, parseJsonStrict, stringifyJson } from "@kubewright/core/meta";
import type { HandedEvent, Transport, TransportRequest } from "@kubewright/core/ports";
import { silentLogger } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { type ApiServer, createApiServer } from "../server/server.ts";
import { createStorage } from "../storage/memory.ts";
import { openSqliteJournal } from "../storage/sqlite.ts";
import { createContractApi } from "./api.ts";
import { createHttp1Transport, createHttp2Transport, type HttpTransport } from "./http-transport.ts";
import { contractCases } from "./suite.ts";

/** A server on its own, and how to reach it. */
interface Target {
  readonly server: ApiServer;
  readonly transport: Transport;
  close(): Promise<void>;
}

const ADMINISTRATOR = { token: "administrator", user: { name: "admin", groups: ["system:masters"] } };
const failures: unknown[] = [];
const log = { ...silentLogger, error: (message: string, fields?: object) => failures.push([message, fields]) };

async function inProcess(storage = createStorage()): Promise<Target> {
  const server = await createApiServer({
    clock: systemClock,
    random: systemRandom,
    storage,
    log,
    tokens: [ADMINISTRATOR],
  });
  return { server, transport: server.transport, close: () => server.close() };
}

/** Answers and events are taken as they are in memory, and must say what bytes would; bodies may be given away so. */
async function inMemory(givesValue: boolean): Promise<Target> {
  const target = await inProcess();
  return { ...target, transport: takingValues(target.transport, givesValue) };
}

function takingValues(transport: Transport, givesValue: boolean): Transport {
  return {
    async send(request) {
      const response = await transport.send({ ...handed(request), givesValue, takesValues: true });
      const { value, events } = response;
      if (events !== undefined) return { ...response, body: linesOf(events) };
      return value === undefined ? response : { ...response, body: once(stringifyJson(value)) };
    },
  };
}

const HANDED_TYPES: ReadonlySet<string> = new Set(["application/json", "application/merge-patch+json"]);

/** A request with what its body says in place of it, where that is an object. */
function handed(request: TransportRequest): TransportRequest {
  const { body, ...rest } = request;
  if (typeof body !== "string" || !HANDED_TYPES.has(request.headers?.["content-type"] ?? "")) return request;
  try {
    const { value, duplicates } = parseJsonStrict(body);
    return isJsonObject(value) && duplicates.length === 0 ? { ...rest, value } : request;
  } catch {
    return request;
  }
}

async function* linesOf(batches: AsyncIterable<readonly HandedEvent[]>): AsyncGenerator<Uint8Array> {
  for await (const events of batches) yield Buffer.from(events.map((event) => `${stringifyJson(event)}\n`).join(""));
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function overTls(connect: typeof createHttp1Transport): Promise<Target> {
  const { server } = await inProcess();
  const { url, certificateAuthority = "" } = await server.listen();
  const transport: HttpTransport = connect({
    url,
    certificateAuthority,
    headers: { authorization: `Bearer ${ADMINISTRATOR.token}` },
  });
  const close = async (): Promise<void> => {
    transport.close();
    await server.close();
  };
  return { server, transport, close };
}

const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  "in process": () => inProcess(),
  "in memory": () => inMemory(false),
  "in memory, with bodies that are given away": () => inMemory(true),
  "on SQLite": () => inProcess(createStorage({ journal: openSqliteJournal(":memory:") })),
  "over TLS with HTTP/2": () => overTls(createHttp2Transport),
  "over TLS with HTTP/1.1": () => overTls(createHttp1Transport),
};

for (const [where, open] of Object.entries(TARGETS)) {
  describe(where, () => {
    let target: Target;
    before(async () => {
      target = await open();
    });
    after(async () => {
      await target.close();
      assert.deepEqual(failures.splice(0), []);
    });
    for (const [index, { name, profile, run }] of contractCases.entries()) {
      if (profile !== "apiserver") continue;
      test(name, { timeout: 20_000 }, async () => {
        const namespace = `case-${index}`;
        const api = createContractApi(target.transport, namespace);
        await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
        await run(api);
      });
    }
  });
}
