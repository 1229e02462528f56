/** Requests to ports of pods and services go through the server; a hook says what listens. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import { type TestContext, test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type ContractApi, createContractApi } from "../contract/api.ts";
import { createApiServer, type PodHooks } from "../index.ts";

const NAMESPACE = "/api/v1/namespaces/default";

/** Tells what it was asked; port 81 is closed. */
const openPort: NonNullable<PodHooks["openPort"]> = async ({ pod, port }) => {
  if (port === 81) throw new Error("connection refused");
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const text = JSON.stringify({ pod: pod.metadata?.name, port, method, url, token: headers.authorization ?? "" });
    response.writeHead(method === "POST" ? 202 : 200, { "x-from": "the pod" }).end(text);
  });
  const [near, far] = duplexPair();
  server.emit("connection", far);
  return near;
};

/** A server with a pod, a service with a named and a numbered port, and its endpoints. */
async function start(context: TestContext): Promise<ContractApi> {
  const tokens = [{ token: "t", user: { name: "somebody", groups: ["system:masters"] } }];
  const server = await createApiServer({ clock: systemClock, random: seededRandom(1), tokens, pods: { openPort } });
  context.after(() => server.close());
  const api = createContractApi(server.transport, "default");
  const containers = [{ name: "main", image: "nginx", ports: [{ containerPort: 8080 }] }];
  await api.post(`${NAMESPACE}/pods`, { metadata: { name: "a" }, spec: { containers } });
  const status = { podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }] };
  await api.patch(`${NAMESPACE}/pods/a/status`, "application/merge-patch+json", { status });
  const ports = [{ port: 80, name: "web", targetPort: 8080 }];
  await api.post(`${NAMESPACE}/services`, { metadata: { name: "s" }, spec: { ports } });
  const addresses = [{ ip: "10.1.0.1", targetRef: { kind: "Pod", name: "a", namespace: "default" } }];
  const subsets = [{ addresses, ports: [{ name: "web", port: 8080 }] }];
  await api.post(`${NAMESPACE}/endpoints`, { metadata: { name: "s" }, subsets });
  return api;
}

test("a pod is reached at the named port, or at its first", async (context) => {
  const api = await start(context);
  const named = await api.get(`${NAMESPACE}/pods/a:9090/proxy/x/y?q=1`, { headers: { authorization: "Bearer t" } });
  assert.deepEqual(named.body, { pod: "a", port: 9090, method: "GET", url: "/x/y?q=1", token: "" });
  assert.equal(named.headers["x-from"], "the pod");
  const first = await api.post(`${NAMESPACE}/pods/http:a:/proxy/`, { some: "body" });
  assert.deepEqual([first.status, first.body.port, first.body.url], [202, 8080, "/"]);
});

test("a service leads to one of its pods", async (context) => {
  const api = await start(context);
  for (const id of ["s:web", "s:80", "http:s:web"]) {
    const { body } = await api.get(`${NAMESPACE}/services/${id}/proxy/health`);
    assert.deepEqual([body.pod, body.port, body.url], ["a", 8080, "/health"]);
  }
});

test("a path without an end leads to one with it", async (context) => {
  const api = await start(context);
  const { status, headers } = await api.get(`${NAMESPACE}/services/s:web/proxy?q=1`);
  assert.deepEqual([status, headers["location"]], [301, `${NAMESPACE}/services/s:web/proxy/?q=1`]);
});

test("what cannot be reached is refused in Kubernetes' words", async (context) => {
  const api = await start(context);
  const refusals: readonly (readonly [path: string, status: number, message: string])[] = [
    ["pods/b/proxy/", 404, 'pods "b" not found'],
    ["pods/a:b:c:d/proxy/", 400, 'invalid pod request "a:b:c:d"'],
    ["pods/a:81/proxy/", 503, "error trying to reach service: connection refused"],
    ["services/s:82/proxy/", 503, 'no service port 82 found for service "s"'],
    ["services/s:other/proxy/", 503, 'no endpoints available for service "s"'],
    ["services/none/proxy/", 404, 'endpoints "none" not found'],
  ];
  for (const [path, status, message] of refusals) {
    const { body } = await api.get(`${NAMESPACE}/${path}`);
    assert.deepEqual([body.code, body.message], [status, message], path);
  }
});
