import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2, createServer, type ServerHttp2Session } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { pingWhenQuiet } from "./session-pings.ts";

/** Long enough for an answer on a busy machine. */
const QUIET_MS = 500;

test("a quiet session that answers pings stays, one that does not is ended", { timeout: 30_000 }, async (context) => {
  const { signal } = context;
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on("session", (session) => {
    sessions.push(session);
    pingWhenQuiet(session, QUIET_MS);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening", { signal });
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const client = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => socket });
  client.on("error", () => {});
  context.after(() => {
    client.destroy();
    for (const session of sessions) session.destroy();
    server.close();
  });
  for (let pings = 0; pings < 2; pings++) await once(client, "ping", { signal });
  const [session] = sessions;
  assert.equal(session?.destroyed, false);
  const mute = connect(port, "127.0.0.1"); // Says that it speaks HTTP/2, and then nothing any more.
  mute.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1");
  mute.resume();
  await once(mute, "close", { signal });
  assert.equal(session?.destroyed, false);
});
