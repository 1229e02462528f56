import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { after, before, describe, test } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { seededRandom, silentLogger } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import type { ApiListener } from "./listening.ts";
import { type ApiServer, createApiServer } from "./server.ts";
import { CONVERSATIONS, type FuzzBytes } from "./testdata/fuzz-bytes.ts";

const CONVERSATIONS_PER_KIND = 120;
/** Longer, and the server has forgotten about the connection. */
const SILENCE_MS_MAX = 10_000;
const GROWTH_BYTES_MAX = 150 * 1024 * 1024;

const failures: unknown[] = [];
const log = { ...silentLogger, error: (message: string, fields?: object) => failures.push([message, fields]) };

/** A server with one pod, whose command says what it hears and whose ports do, too. */
async function startServer(): Promise<ApiServer> {
  const server = await createApiServer({
    clock: systemClock,
    random: seededRandom(1),
    log,
    pods: {
      connect: async ({ input }) => ({ status: 200, headers: {}, body: input }),
      openPort: async () => new PassThrough(),
    },
  });
  const post = (path: string, body: object) =>
    server.transport.send({
      method: "POST",
      path: `/api/v1/namespaces/default/pods${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("", { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "i" }] } });
  await post("/a/binding", { metadata: { name: "a" }, target: { name: "node-1" } });
  return server;
}

describe("fuzzing of connections", { timeout: 180_000 }, () => {
  let server: ApiServer;
  let listener: ApiListener;
  before(async () => {
    server = await startServer();
    listener = await server.listen();
  });
  after(() => server.close());

  const open = async (protocol: string): Promise<TLSSocket> => {
    const { user } = JSON.parse(listener.kubeconfig ?? "{}").users[0];
    const [cert, key] = ["client-certificate-data", "client-key-data"].map((name) => Buffer.from(user[name], "base64"));
    const ca = listener.certificateAuthority;
    const socket = connect({ host: "127.0.0.1", port: listener.port, ca, cert, key, ALPNProtocols: [protocol] });
    await once(socket, "secureConnect");
    return socket;
  };

  /** Everything the server says until it closes the connection, which it must. */
  const converse = async ({ protocol, head, bytes }: FuzzBytes): Promise<string> => {
    const socket = await open(protocol);
    const said: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => said.push(chunk));
    socket.on("error", () => {}); // A server may break off what it cannot understand.
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error("the server is silent")));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    if (head !== "") {
      socket.write(head);
      await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed]);
    }
    socket.end(bytes);
    await closed;
    assert.notEqual(socket.errored?.message, "the server is silent");
    return Buffer.concat(said).toString("latin1");
  };

  for (const [name, next] of Object.entries(CONVERSATIONS)) {
    test(`damaged bytes of ${name} are refused or cut off, and none by an accident`, async () => {
      const random = seededRandom(7);
      const heapBefore = process.memoryUsage().heapUsed;
      for (let count = 0; count < CONVERSATIONS_PER_KIND; count++) {
        const conversation = next(random);
        const answer = await converse(conversation);
        const described = `conversation ${count}: ${conversation.bytes.toString("latin1").slice(0, 1000)}`;
        assert.doesNotMatch(answer, /HTTP\/1\.1 500/, described);
        assert.deepEqual(failures.splice(0), [], described);
      }
      assert.ok(process.memoryUsage().heapUsed - heapBefore < GROWTH_BYTES_MAX);
      const ready = "GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
      assert.match(await converse({ protocol: "http/1.1", head: "", bytes: Buffer.from(ready) }), /^HTTP\/1\.1 200 /);
    });
  }

  test("a request cannot hide in the body of another", async () => {
    const hidden = "GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n";
    const post = "POST /readyz HTTP/1.1\r\nhost: localhost\r\n";
    const heads = [
      `content-length: ${hidden.length + 5}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`,
      `content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n`,
      `transfer-encoding: xchunked\r\ncontent-length: 0\r\n\r\n`,
      `transfer-encoding : chunked\r\ncontent-length: 0\r\n\r\n`,
      `transfer-encoding:\n chunked\r\ncontent-length: 0\r\n\r\n`,
    ];
    for (const head of heads) {
      const answer = await converse({ protocol: "http/1.1", head: "", bytes: Buffer.from(post + head + hidden) });
      assert.match(answer, /^HTTP\/1\.1 400 /, head);
      assert.doesNotMatch(answer, /gitVersion/, head);
    }
  });
});
