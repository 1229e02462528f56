import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock, systemRandom } from "@kubewright/node";
import { type CertificatePair, createCertificateAuthority } from "@kubewright/node/certificates";

const PROGRAM = fileURLToPath(new URL("./main.ts", import.meta.url));
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "envtest it's-"));
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "assets"], { cwd: folder, encoding: "utf8" });
  assert.match(stdout, /assets\n$/, stderr);
});
after(() => rmSync(folder, { recursive: true }));

/** A free port, as envtest looks for one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a launcher; resolves once it says that it listens. */
async function start(name: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(join(folder, "assets", name), [...args], { stdio: ["ignore", "ignore", "pipe"] });
  child.stderr?.setEncoding("utf8");
  let told = "";
  for await (const text of child.stderr ?? []) {
    told += text;
    if (told.includes("listening on")) break;
  }
  assert.match(told, /listening on/);
  return child;
}

async function stop(child: ChildProcess): Promise<unknown> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  return (await exit)[0];
}

interface Ask {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
  readonly client?: CertificatePair;
  readonly authority?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what the server says.
function ask({ port, path, method = "GET", body, client, authority }: Ask): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    const trust = authority === undefined ? { rejectUnauthorized: false } : { ca: authority };
    const credentials = client === undefined ? {} : { cert: client.certificate, key: client.key };
    const headers = { "content-type": "application/json" };
    const options = { host: "127.0.0.1", port, path, method, headers, agent: false, ...trust, ...credentials } as const;
    const sent = request(options, async (response) => {
      const chunks = await response.toArray();
      const text = Buffer.concat(chunks).toString("utf8");
      resolve({ status: response.statusCode ?? 0, body: text.startsWith("{") ? JSON.parse(text) : text });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test("help is immediate and names no flag that must be set", () => {
  for (const name of ["etcd", "kube-apiserver"]) {
    const { status, stdout } = spawnSync(join(folder, "assets", name), ["--help"], { encoding: "utf8" });
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /^\s*--/m);
  }
});

test("etcd says that it is well, and ends when asked to", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const etcd = await start("etcd", [
    `--listen-client-urls=${url}`,
    `--data-dir=${folder}`,
    "--listen-peer-urls=http://x",
  ]);
  const health = await fetch(`${url}/health`);
  assert.equal(health.status, 200);
  assert.equal(((await health.json()) as { health: string }).health, "true");
  assert.equal(await stop(etcd), 0);
});

test("kube-apiserver serves as envtest starts it: its certificates, its client authority, its flags", async () => {
  const ports = { clock: systemClock, random: systemRandom };
  const serving = createCertificateAuthority(ports);
  const clients = createCertificateAuthority(ports);
  const certificates = mkdtempSync(join(folder, "certificates-"));
  const server = serving.issue({ commonName: "localhost", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
  writeFileSync(join(certificates, "apiserver.crt"), server.certificate);
  writeFileSync(join(certificates, "apiserver.key"), server.key);
  writeFileSync(join(certificates, "sa-signer.crt"), serving.certificate);
  writeFileSync(join(certificates, "sa-signer.key"), serving.key);
  writeFileSync(join(certificates, "client-cert-auth-ca.crt"), clients.certificate);
  const port = await freePort();
  const apiServer = await start("kube-apiserver", [
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    "--bind-address=127.0.0.1",
    `--cert-dir=${certificates}`,
    `--client-ca-file=${join(certificates, "client-cert-auth-ca.crt")}`,
    "--disable-admission-plugins=ServiceAccount,PodSecurity",
    "--etcd-servers=http://127.0.0.1:2379",
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${join(certificates, "sa-signer.crt")}`,
    `--service-account-signing-key-file=${join(certificates, "sa-signer.key")}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--feature-gates=Some=true",
  ]);
  assert.deepEqual(await ask({ port, path: "/healthz" }), { status: 200, body: "ok" });
  assert.equal((await ask({ port, path: "/api/v1/namespaces" })).status, 403);
  const usages = ["client auth"] as const;
  const client = clients.issue({ commonName: "admin", organizations: ["system:masters"], usages });
  const authorized = { port, client, authority: serving.certificate };
  assert.equal((await ask({ ...authorized, path: "/api/v1/namespaces/default" })).status, 200);
  const path = "/api/v1/namespaces/default/configmaps";
  const created = await ask({ ...authorized, path, method: "POST", body: { metadata: { name: "a" } } });
  assert.equal(created.status, 201);
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  const podPath = "/api/v1/namespaces/default/pods";
  assert.equal((await ask({ ...authorized, path: podPath, method: "POST", body: pod })).status, 201);
  const stranger = serving.issue({ commonName: "admin", organizations: ["system:masters"], usages });
  assert.equal((await ask({ ...authorized, client: stranger, path })).status, 403);
  assert.equal(await stop(apiServer), 0);
});

test("kube-apiserver that cannot start says why and fails", () => {
  const { status, stderr } = spawnSync(
    join(folder, "assets", "kube-apiserver"),
    [`--cert-dir=${folder}`, "--client-ca-file=/nowhere/ca.crt"],
    { encoding: "utf8" },
  );
  assert.equal(status, 1);
  assert.match(stderr, /open \/nowhere\/ca\.crt: no such file or directory/);
});

test("kubectl is the one on PATH, and its absence is told", () => {
  const shim = join(folder, "assets", "kubectl");
  const elsewhere = mkdtempSync(join(folder, "bin-"));
  const path = `${join(folder, "assets")}:${elsewhere}`;
  writeFileSync(join(elsewhere, "kubectl"), '#!/bin/sh\necho "real $*"\n', { mode: 0o755 });
  const found = spawnSync(shim, ["get", "pods"], { encoding: "utf8", env: { PATH: path } });
  assert.equal(found.stdout, "real get pods\n", found.stderr);
  const missing = spawnSync(shim, [], { encoding: "utf8", env: { PATH: join(folder, "assets") } });
  assert.equal(missing.status, 127);
  assert.match(missing.stderr, /none found on PATH/);
});
