import assert from "node:assert/strict";
import { get } from "node:http";
import { test } from "node:test";
import { startDebugServer } from "./debug-server.ts";

const history = { list: () => [] };

function request(port: number, path: string, host = `127.0.0.1:${port}`): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve([response.statusCode ?? 0, text]));
    }).on("error", reject);
  });
}

test("the last reconciles are told as JSON, and nothing else", async () => {
  await using server = await startDebugServer("127.0.0.1:0", { history });
  assert.deepEqual(await request(server.port, "/debug/reconciles"), [200, '{"reconciles":[]}\n']);
  assert.equal((await request(server.port, "/metrics"))[0], 404);
});

test("a request in another host's name is refused: a web page might have caused it", async () => {
  await using server = await startDebugServer("localhost:0", { history });
  assert.equal((await request(server.port, "/debug/reconciles", "evil.example.com"))[0], 403);
  assert.equal((await request(server.port, "/debug/reconciles", "localhost:8082"))[0], 200);
});

test("an address that others could reach is refused", async () => {
  for (const address of [":8082", "0.0.0.0:8082", "10.0.0.1:8082", "127.0.0.1.example.com:8082"]) {
    await assert.rejects(
      startDebugServer(address, { history }),
      /could be reached by others; write "127\.0\.0\.1:8082"/,
    );
  }
});
