/** Addresses and ports of Services: never handed out twice, always given back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service } from "@kubewright/api/core/v1";
import type { IPAddress } from "@kubewright/api/networking/v1";
import { readBody, seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type ApiServer, createApiServer } from "../../index.ts";

const PATH = "/api/v1/namespaces/default/services";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

async function send({ transport }: ApiServer, method: string, path: string, body?: object): Promise<Service> {
  const headers = { "content-type": "application/json" };
  const response = await transport.send({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.parse(Buffer.from(await readBody(response.body)).toString("utf8")) as Service;
}

function nodePortService(name: string): object {
  return { metadata: { name }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
}

function startServer(): Promise<ApiServer> {
  return createApiServer({ clock: systemClock, random: seededRandom(1) });
}

test("services created at once get addresses and node ports of their own, none of those that people choose from", async () => {
  await using server = await startServer();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const services = await Promise.all(names.map((name) => send(server, "POST", PATH, nodePortService(name))));
  const hosts = services.map(({ spec }) => Number(spec?.clusterIP?.split(".")[3]));
  const ports = services.map(({ spec }) => spec?.ports?.[0]?.nodePort);
  assert.deepEqual([new Set(hosts).size, new Set(ports).size], [20, 20]);
  assert(hosts.every((host) => host > 16));
  assert(ports.every((port) => port !== undefined && port > 30_085));
});

test("a deleted service gives back its address", async () => {
  await using server = await startServer();
  const chosen = { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] } };
  await send(server, "POST", PATH, chosen);
  await send(server, "DELETE", `${PATH}/a`);
  const again = await send(server, "POST", PATH, { ...chosen, metadata: { name: "b" } });
  assert.equal(again.spec?.clusterIP, "10.0.0.7");
});

test("a refused service and a dry run take nothing", async () => {
  await using server = await startServer();
  const chosen = { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] } };
  await send(server, "POST", PATH, { ...chosen, spec: { ...chosen.spec, ports: [{ port: 0 }] } });
  await send(server, "POST", `${PATH}?dryRun=All`, chosen);
  assert.equal((await send(server, "POST", PATH, chosen)).spec?.clusterIP, "10.0.0.7");
});

test("what is stored is taken when a server starts on it", async () => {
  const first = await startServer();
  await send(first, "POST", PATH, { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] } });
  await using second = await createApiServer({
    clock: systemClock,
    random: seededRandom(2),
    storage: first.storage,
  });
  const refused = await send(second, "POST", PATH, {
    metadata: { name: "b" },
    spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] },
  });
  assert.match(JSON.stringify(refused), /provided IP is already allocated/);
});

test("a service that is stored without its IPAddress gets it when a server starts", async () => {
  const first = await startServer();
  const { storage } = first;
  await send(first, "POST", PATH, { metadata: { name: "a" }, spec: { clusterIP: "10.0.0.7", ports: [{ port: 80 }] } });
  await send(first, "DELETE", `${ADDRESSES}/10.0.0.7`);
  await using second = await createApiServer({ clock: systemClock, random: seededRandom(2), storage });
  const address = (await send(second, "GET", `${ADDRESSES}/10.0.0.7`)) as unknown as IPAddress;
  assert.deepEqual(address.spec?.parentRef, { resource: "services", namespace: "default", name: "a" });
});

test("whoever removes services, their IPAddresses go with them", async () => {
  await using server = await startServer();
  for (const name of ["a", "b"]) await send(server, "POST", PATH, nodePortService(name));
  const before = await namesOf(server);
  await send(server, "DELETE", PATH);
  assert.deepEqual([before.length, await namesOf(server)], [3, []]);
});

async function namesOf(server: ApiServer): Promise<readonly string[]> {
  const { items } = (await send(server, "GET", ADDRESSES)) as unknown as { readonly items: readonly IPAddress[] };
  return items.map(({ metadata }) => metadata?.name ?? "");
}
