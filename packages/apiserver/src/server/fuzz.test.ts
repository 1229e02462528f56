import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readBody, seededRandom, silentLogger, type TransportRequest } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { parse as parseYaml } from "yaml";
import { createContractApi } from "../contract/api.ts";
import { CRDS, widgetCrd } from "../contract/objects.ts";
import { NESTING_MAX } from "../request/nesting.ts";
import { type ApiServer, createApiServer } from "./server.ts";
import { nextRequest } from "./testdata/fuzz-requests.ts";

const REQUESTS_PER_SEED = 600;
const SEEDS = [1, 10, 55];

/** What kube-apiserver, too, answers with a 500. */
const SERVER_ERRORS = [
  /^resourceVersion should not be set on objects to be created$/,
  /^resourceVersion: Invalid value: /,
  /^failed to create typed patch object /,
  /^failed to convert new object /,
  /^list element types are not identical: /,
  /^map: map\[.* does not contain declared merge key: /,
  /^unknown patch type: /,
];

const failures: unknown[] = [];
const log = { ...silentLogger, error: (message: string, fields?: object) => failures.push([message, fields]) };

async function startServer(): Promise<ApiServer> {
  const server = await createApiServer({ clock: systemClock, random: seededRandom(1), log });
  const api = createContractApi(server.transport, "default");
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const answer = await api.post(CRDS, widgetCrd("fuzz.example.com", { schema }));
  assert.equal(answer.status, 201, answer.text);
  return server;
}

/** The status and the text of the answer; of an endless one only its beginning. */
async function send({ transport }: ApiServer, request: TransportRequest): Promise<[number, string]> {
  const aborting = new AbortController();
  const response = await transport.send({ ...request, signal: aborting.signal });
  if (response.status === 200 && /[?&]watch=|\/watch\//.test(request.path)) {
    aborting.abort();
    return [response.status, ""];
  }
  return [response.status, Buffer.from(await readBody(response.body)).toString("utf8")];
}

describe("fuzzing", { timeout: 120_000 }, () => {
  let server: ApiServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  for (const seed of SEEDS) {
    test(`damaged requests are answered, and none by an accident (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      for (let count = 0; count < REQUESTS_PER_SEED; count++) {
        const request = nextRequest(random);
        const [status, text] = await send(server, request);
        const isKnown = SERVER_ERRORS.some((known) => known.test(String(messageOf(text))));
        assert.ok(status < 500 || isKnown, `request ${count}: ${describeRequest(request)}\n${status} ${text}`);
        assert.deepEqual(failures.splice(0), [], `request ${count}: ${describeRequest(request)}`);
      }
      assert.equal((await send(server, { method: "GET", path: "/readyz", headers: {} }))[0], 200);
    });
  }

  test("what was an accident once is a refusal", async () => {
    const pods = "/api/v1/namespaces/default/pods";
    const pod = (limits: string): string =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":${limits}}}]}}`;
    assert.equal((await send(server, jsonRequest("POST", pods, pod('{"cpu":"1"}'))))[0], 201);
    const apply = { "content-type": "application/apply-patch+yaml" };
    const accidents: readonly (readonly [number, TransportRequest])[] = [
      [400, jsonRequest("DELETE", `${pods}/p`, '{"kind":9007199254740993}')],
      [400, jsonRequest("POST", pods, pod('{"cpu":[[]]}'))],
      [400, jsonRequest("POST", pods, '{"metadata":{"name":"q","creationTimestamp":5}}')],
      [422, jsonRequest("PUT", `${pods}/p`, '{"metadata":{"name":"p"}}')],
      [500, { method: "PATCH", path: `${pods}/p?fieldManager=m`, headers: apply, body: pod('{"__proto__":"x"}') }],
    ];
    for (const [expected, request] of accidents) {
      const [status, text] = await send(server, request);
      assert.equal(status, expected, `${describeRequest(request)}\n${text}`);
    }
    assert.deepEqual(failures.splice(0), []);
  });

  const widgets = "/apis/fuzz.example.com/v1/namespaces/default/widgets";
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const widget = (name: string, levels: number): string =>
    `{"apiVersion":"fuzz.example.com/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${nested(levels)}}`;
  /** Every way to bring a value in, as [method, path after the collection, media type, body]. */
  const ways = (levels: number): readonly (readonly [string, string, string, string])[] => [
    ["POST", "", "application/json", widget("posted", levels)],
    ["POST", "", "application/yaml", `# YAML\n${widget("yaml", levels)}`],
    ["PUT", "/a", "application/json", widget("a", levels)],
    ["PATCH", "/a", "application/merge-patch+json", `{"spec":${nested(levels)}}`],
    ["PATCH", "/a", "application/json-patch+json", `[{"op":"add","path":"/spec","value":${nested(levels)}}]`],
    ["PATCH", "/b?fieldManager=m", "application/apply-patch+yaml", widget("b", levels)],
    ["DELETE", "/a", "application/json", `{"kind":"DeleteOptions","apiVersion":"v1","x":${nested(levels)}}`],
  ];

  test("values that nest too deep are refused, whatever the verb", async () => {
    await send(server, jsonRequest("POST", widgets, widget("a", 1)));
    for (const levels of [NESTING_MAX, 9_990, 20_000]) {
      for (const [method, path, type, body] of ways(levels)) {
        const request = { method, path: `${widgets}${path}`, headers: { "content-type": type }, body };
        const [status, text] = await send(server, request);
        assert.equal(status, 400, `${method} ${type} ${levels}: ${text.slice(0, 300)}`);
      }
      const smp = "application/strategic-merge-patch+json";
      const path = "/api/v1/namespaces/default/services/kubernetes";
      const body = `{"spec":${nested(levels)}}`;
      const [status] = await send(server, { method: "PATCH", path, headers: { "content-type": smp }, body });
      assert.equal(status, 400);
    }
    assert.deepEqual(failures.splice(0), []);
  });

  test("values that nest just not too deep go through every verb", async () => {
    const levels = NESTING_MAX - 10;
    for (const [method, path, type, body] of ways(levels).filter(([verb]) => verb !== "PUT" && verb !== "DELETE")) {
      const request = { method, path: `${widgets}${path}`, headers: { "content-type": type }, body };
      const [status, text] = await send(server, request);
      assert.ok(status < 300, `${method} ${type}: ${text.slice(0, 300)}`);
    }
    const [status] = await send(server, { method: "GET", path: widgets, headers: { accept: "application/yaml" } });
    assert.equal(status, 200);
    assert.deepEqual(failures.splice(0), []);
  });

  test("patches cannot nest a value deeper, step by step", async () => {
    const deepen =
      '[{"op":"move","from":"/spec","path":"/old"},{"op":"add","path":"/spec","value":{}},{"op":"move","from":"/old","path":"/spec/a"}]';
    await send(server, jsonRequest("POST", widgets, widget("steps", NESTING_MAX - 4)));
    const headers = { "content-type": "application/json-patch+json" };
    let status = 200;
    for (let step = 0; step < 10 && status === 200; step++) {
      [status] = await send(server, { method: "PATCH", path: `${widgets}/steps`, headers, body: deepen });
    }
    assert.equal(status, 400);
    assert.deepEqual(failures.splice(0), []);
  });
});

function jsonRequest(method: string, path: string, body: string): TransportRequest {
  return { method, path, headers: { "content-type": "application/json" }, body };
}

/** Refusals are JSON, or YAML for those who asked for it. */
function messageOf(text: string): unknown {
  try {
    return parseYaml(text).message;
  } catch {
    return text;
  }
}

function describeRequest({ method, path, headers, body = "" }: TransportRequest): string {
  const text = typeof body === "string" ? body : Buffer.from(body as Uint8Array).toString("latin1");
  return `${method} ${path} ${JSON.stringify(headers)}\n${text.slice(0, 2000)}`;
}
