/** Logs of pods and commands in them: in process and over TLS on the embedded server, and against a server that takes input. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Pod } from "@kubewright/api/core/v1";
import { createApiServer, type PodHooks } from "@kubewright/apiserver";
import { encodeFrame, isBadRequest, isNotFound, readFrame } from "@kubewright/core/protocol";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { attach, type Client, createClient, createHttpTransport, exec, readLogs } from "@kubewright/runtime";

const message = (channel: number, text: string): Uint8Array =>
  Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
const exited = (code: number): Uint8Array =>
  message(
    3,
    JSON.stringify(
      code === 0
        ? { status: "Success" }
        : { status: "Failure", details: { causes: [{ reason: "ExitCode", message: String(code) }] } },
    ),
  );

const HOOKS: PodHooks = {
  readLogs: async ({ container, tailLines, previous }) => `${container} ${tailLines} ${previous}\nline 2\n`,
  async connect({ kind, container, call }) {
    const command = call.info.query.getAll("command").join(" ");
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield message(1, `${kind} ${container} ${command}`);
        yield message(2, "careful");
        yield exited(command === "fail" ? 3 : 0);
      })(),
    };
  },
};

const WAYS: ReadonlyArray<readonly [name: string, run: (work: (client: Client) => Promise<void>) => Promise<void>]> = [
  ["in process", async (work) => withServer(({ server }) => work(createClient({ transport: server.transport })))],
  [
    "over TLS",
    async (work) =>
      withServer(async ({ server }) => {
        const listener = await server.listen();
        const { users } = JSON.parse(listener.kubeconfig ?? "{}");
        const pem = (name: string): string => Buffer.from(users[0].user[name], "base64").toString();
        const tls = {
          ca: listener.certificateAuthority,
          cert: pem("client-certificate-data"),
          key: pem("client-key-data"),
        };
        {
          using transport = createHttpTransport({ server: listener.url, tls: async () => tls });
          await work(createClient({ transport }));
        }
        await listener.close();
      }),
  ],
];

async function withServer(
  work: (ports: { readonly server: Awaited<ReturnType<typeof createApiServer>> }) => Promise<void>,
): Promise<void> {
  await using server = await createApiServer({ clock: systemClock, random: systemRandom, pods: HOOKS });
  const client = createClient({ transport: server.transport });
  const spec = { nodeName: "node-1", containers: [{ name: "main", image: "a" }] };
  await client.create(Pod, { metadata: { name: "a" }, spec });
  await work({ server });
}

for (const [way, run] of WAYS) {
  test(`${way}: a log is read as it comes, with the options given`, () =>
    run(async (client) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of await readLogs(client, "a", { tailLines: 5, previous: true })) pieces.push(piece);
      assert.equal(Buffer.concat(pieces).toString(), "main 5 true\nline 2\n");
      await assert.rejects(readLogs(client, "b"), isNotFound);
    }));

  test(`${way}: a command's output and exit code come back`, () =>
    run(async (client) => {
      const pieces: string[] = [];
      const onOutput = (piece: Uint8Array, stream: string): unknown => pieces.push(`${stream}: ${Buffer.from(piece)}`);
      const done = await exec(client, "a", { command: ["ls", "-l"], onOutput });
      assert.deepEqual(done, { exitCode: 0, stdout: "exec main ls -l", stderr: "careful" });
      assert.deepEqual(pieces, ["stdout: exec main ls -l", "stderr: careful"]);
      assert.equal((await exec(client, "a", { command: ["fail"] })).exitCode, 3);
      assert.equal((await attach(client, "a", { container: "main" })).stdout, "attach main ");
      await assert.rejects(exec(client, "a", { command: ["ls"], container: "other" }), isBadRequest);
    }));
}

test("a command's input is sent and ended, in messages that a server takes", async () => {
  const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const pair = authority.issue({ commonName: "a", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
  const server = createServer({ cert: pair.certificate, key: pair.key });
  const taken: Buffer[] = [];
  server.on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(
      `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest("base64")}\r\n\r\n`,
    );
    let pending: Uint8Array = new Uint8Array();
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const read = readFrame(pending, { masked: true, payloadBytesMax: 1 << 20 });
        if (read === "more" || read === "error") return;
        pending = read.rest;
        if (read.frame.kind !== "binary") continue;
        if (read.frame.payload[0] === 0) taken.push(Buffer.from(read.frame.payload.subarray(1)));
        else socket.write(Buffer.concat([encodeFrame("ping", Buffer.from("?")), encodeFrame("binary", exited(0))]));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  {
    using transport = createHttpTransport({ server: url, tls: async () => ({ ca: authority.certificate }) });
    const { exitCode } = await exec(createClient({ transport }), "a", { command: ["cat"], stdin: "hello" });
    assert.equal(exitCode, 0);
    assert.equal(Buffer.concat(taken).toString(), "hello");
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
