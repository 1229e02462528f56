import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { connect, createServer, type TLSSocket } from "node:tls";
import { systemClock } from "../clock.ts";
import { systemRandom } from "../random.ts";
import { createCertificateAuthority, openCertificateAuthority } from "./authority.ts";

const ports = { clock: systemClock, random: systemRandom };
const authority = createCertificateAuthority(ports);
const server = authority.issue({
  commonName: "kube-apiserver",
  dnsNames: ["localhost", "kubernetes.default.svc"],
  ipAddresses: ["127.0.0.1", "::1", "2001:db8::1:2", "::ffff:10.0.0.1"],
  usages: ["server auth"],
});
const client = authority.issue({
  commonName: "admin",
  organizations: ["system:masters", "größe"],
  usages: ["client auth"],
});

test("the authority signs itself and its leaves", () => {
  const root = new X509Certificate(authority.certificate);
  assert.equal(root.ca, true);
  assert.equal(root.subject, "CN=kubewright-ca");
  assert.ok(root.verify(root.publicKey));
  for (const pair of [server, client]) {
    const leaf = new X509Certificate(pair.certificate);
    assert.equal(leaf.ca, false);
    assert.ok(leaf.checkIssued(root));
    assert.ok(leaf.verify(root.publicKey));
  }
});

test("a server's certificate names its hosts and addresses", () => {
  const leaf = new X509Certificate(server.certificate);
  assert.equal(leaf.checkHost("kubernetes.default.svc"), "kubernetes.default.svc");
  assert.equal(leaf.checkHost("example.com"), undefined);
  for (const address of ["127.0.0.1", "::1", "2001:db8::1:2", "::ffff:10.0.0.1"]) {
    assert.notEqual(leaf.checkIP(address), undefined, address);
  }
  assert.equal(leaf.checkIP("127.0.0.2"), undefined);
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
});

test("a client's certificate carries user and groups", () => {
  const leaf = new X509Certificate(client.certificate);
  assert.equal(leaf.subject, "O=system:masters\nO=größe\nCN=admin");
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
});

test("serial numbers differ", () => {
  const serials = [authority, server, client].map(({ certificate }) => new X509Certificate(certificate).serialNumber);
  assert.equal(new Set(serials).size, 3);
});

test("a leaf is good from a little before now until its days are over, within the authority's time", () => {
  const validity = (days: number): readonly number[] => {
    const { certificate } = authority.issue({ commonName: "x", usages: ["client auth"], days });
    const { validFrom, validTo } = new X509Certificate(certificate);
    return [Date.parse(validFrom), Date.parse(validTo)];
  };
  const [fromMs = 0, toMs = 0] = validity(2);
  assert.ok(fromMs < systemClock.now());
  assert.equal(Math.round((toMs - fromMs) / 86_400_000), 2);
  assert.equal(validity(99_999)[1], Date.parse(new X509Certificate(authority.certificate).validTo));
});

test("times beyond 2049 are written in four digits", () => {
  const longLived = createCertificateAuthority({ ...ports, days: 365 * 60 });
  assert.ok(Date.parse(new X509Certificate(longLived.certificate).validTo) > Date.UTC(2050, 0));
});

test("an authority that was kept goes on issuing", () => {
  const { certificate, key } = authority;
  const leaf = openCertificateAuthority({ certificate, key }, ports).issue({
    commonName: "b",
    usages: ["client auth"],
  });
  assert.ok(new X509Certificate(leaf.certificate).checkIssued(new X509Certificate(certificate)));
  assert.throws(() => openCertificateAuthority({ certificate, key: client.key }, ports), TypeError);
});

test("what is no address is refused", () => {
  const issue = (address: string) => () =>
    authority.issue({ commonName: "x", ipAddresses: [address], usages: ["server auth"] });
  for (const address of ["localhost", "1.2.3", "fe80::1%eth0", ""]) assert.throws(issue(address), TypeError, address);
});

async function handshake(identity: { cert?: string; key?: string }, trusted: string): Promise<string> {
  const listener = createServer({
    cert: server.certificate,
    key: server.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const served = new Promise<string>((resolve) => {
    listener.once("tlsClientError", (error) => resolve(`server: ${error.message}`));
    listener.once("secureConnection", (socket: TLSSocket) => {
      const { subject } = socket.getPeerCertificate();
      resolve(`${subject.CN} in ${[subject.O].flat().join(",")}`);
    });
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, ca: trusted, ...identity });
  const refused = new Promise<string>((resolve) =>
    socket.once("error", (error) => resolve(`client: ${error.message}`)),
  );
  try {
    return await Promise.race([served, refused]);
  } finally {
    socket.destroy();
    listener.close();
  }
}

test("server and client recognise each other over TLS", async () => {
  const identity = { cert: client.certificate, key: client.key };
  assert.equal(await handshake(identity, authority.certificate), "admin in system:masters,größe");
});

test("a client that trusts another authority refuses the server", async () => {
  const stranger = createCertificateAuthority({ ...ports, commonName: "stranger" });
  const identity = { cert: client.certificate, key: client.key };
  assert.match(await handshake(identity, stranger.certificate), /unable to|self-signed|verify|alert/);
});

test("a server's certificate does not pass for a client's", async () => {
  assert.match(await handshake({ cert: server.certificate, key: server.key }, authority.certificate), /^server: /);
});

test("keys are in the form that clients of every language recognise by its first line", () => {
  for (const { key } of [authority, server, client]) {
    assert.match(key, /^-----BEGIN EC PRIVATE KEY-----\n(?:[\w+/=]{1,64}\n)+-----END EC PRIVATE KEY-----\n$/);
  }
});
