import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { systemClock, systemRandom } from "@kubewright/node";
import { createContractApi } from "../contract/api.ts";
import { createApiServer } from "./server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const WATCH = `${CONFIG_MAPS}?watch=1`;

/** What waits for a watcher may be 32 MiB; the system's buffers take some megabytes before anything waits. */
const WRITES = 45;
const DATA = "x".repeat(1_000_000);

/** A watch on a bare socket, begun and then not read any more. */
async function openStuckWatch(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${WATCH} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

test("of thousands of watchers, the one that does not read is cut off, and all others are told everything", {
  timeout: 60_000,
}, async () => {
  await using server = await createApiServer({
    clock: systemClock,
    random: systemRandom,
    authorization: "AlwaysAllow",
  });
  const { port } = await server.listen({ tls: "none" });
  const stuck = await openStuckWatch(port);
  const leaving = new AbortController();
  const received = await Promise.all(
    Array.from({ length: 3000 }, async () => {
      const { body } = await server.transport.send({ method: "GET", path: WATCH, signal: leaving.signal });
      return countLines(body);
    }),
  );
  const api = createContractApi(server.transport, "default");
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  await Promise.all(received.map((count) => count.until(1))); // From now on each chunk is one event.
  for (let write = 0; write < WRITES; write++) {
    const answer = await api.put(`${CONFIG_MAPS}/a`, { metadata: { name: "a" }, data: { text: `${write}${DATA}` } });
    assert.equal(answer.status, 200);
  }
  await Promise.all(received.map((count) => count.until(WRITES + 1)));
  let bytes = 0;
  stuck.on("data", (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  stuck.on("error", () => {}); // A reset is one way to be cut off.
  await once(stuck, "close");
  assert.ok(bytes < WRITES * DATA.length, `it was sent ${bytes} bytes`);
  leaving.abort();
});

interface LineCount {
  /** Resolves when so many lines came. */
  until(lines: number): Promise<void>;
}

function countLines(body: AsyncIterable<Uint8Array>): LineCount {
  let count = 0;
  let wake = (): void => {};
  void (async () => {
    for await (const chunk of body) {
      if (chunk.at(-1) === 0x0a) count++;
      wake();
    }
  })().catch(() => {});
  return {
    async until(lines) {
      while (count < lines) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
