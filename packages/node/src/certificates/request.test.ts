import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isMalformed } from "@kubewright/core/meta";
import { systemClock } from "../clock.ts";
import { systemRandom } from "../random.ts";
import { certificateEnd, createCertificateAuthority } from "./authority.ts";
import { createCertificateRequest } from "./request.ts";
import { readRequestedNames } from "./requested-names.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
const options = {
  commonName: "system:node:n1",
  organizations: ["system:nodes"],
  dnsNames: ["n1"],
  ipAddresses: ["10.0.0.1"],
};

test("a signed request becomes a certificate for the requester's key, with the names asked for", () => {
  const { request, key } = createCertificateRequest(options);
  const certificate = new X509Certificate(authority.sign(request, { usages: ["server auth"], days: 7 }));
  assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
  assert.equal(certificate.subject, "O=system:nodes\nCN=system:node:n1");
  assert.equal(certificate.subjectAltName, "DNS:n1, IP Address:10.0.0.1");
  assert.equal(certificate.ca, false);
});

test("a request without names gives a certificate without names", () => {
  const { request } = createCertificateRequest({ commonName: "x" });
  const certificate = new X509Certificate(authority.sign(request, { usages: ["client auth"] }));
  assert.equal(certificate.subjectAltName, undefined);
});

test("a certificate is for the usages that were asked for, and as long as that", () => {
  const { request } = createCertificateRequest({ commonName: "x" });
  const usages = ["client auth", "key encipherment"] as const;
  const certificate = new X509Certificate(authority.sign(request, { usages, days: 600 / 86_400 }));
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
  const flags = Buffer.from("0603551d0f0101ff040403020520", "hex"); // Key usage, critical: key encipherment alone.
  assert.ok(certificate.raw.includes(flags));
  const lifetimeMs = certificateEnd(certificate.toString()) - Date.parse(certificate.validFrom);
  assert.equal(lifetimeMs, 300_000 + 600_000);
});

test("the names in a request are told apart", () => {
  const { request } = createCertificateRequest({ ...options, organizations: ["a", "größe"], ipAddresses: ["::1"] });
  const names = { commonName: "system:node:n1", organizations: ["a", "größe"], dnsNames: ["n1"], ipAddresses: ["::1"] };
  assert.deepEqual(readRequestedNames(request), { ...names, emailAddresses: [], uris: [] });
  assert.throws(() => readRequestedNames(authority.certificate), isMalformed);
});

/** By openssl: an RSA key, /O=system:nodes/CN=n, names of each kind. */
const FOREIGN = readFileSync(new URL("testdata/foreign.csr.pem", import.meta.url), "utf8");

test("a request by another program is read, with names of every kind", () => {
  assert.deepEqual(readRequestedNames(FOREIGN), {
    commonName: "n",
    organizations: ["system:nodes"],
    dnsNames: ["n.example.com"],
    emailAddresses: ["n@example.com"],
    ipAddresses: ["10.0.0.1", "2001:db8::1"],
    uris: ["https://example.com/n"],
  });
});

test("a request that was changed on the way is refused", () => {
  const { request } = createCertificateRequest(options);
  const [begin = "", ...lines] = request.trimEnd().split("\n");
  const der = Buffer.from(lines.slice(0, -1).join(""), "base64");
  const at = der.indexOf("n1");
  der.write("n2", at);
  const changed = `${begin}\n${der.toString("base64")}\n${lines.at(-1)}\n`;
  assert.throws(() => authority.sign(changed, { usages: ["client auth"] }), isMalformed);
});

test("what is no request is refused", () => {
  const sign = (pem: string) => () => authority.sign(pem, { usages: ["client auth"] });
  assert.throws(sign(authority.certificate), { message: "PEM block type must be CERTIFICATE REQUEST" });
  assert.throws(sign("-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n"), isMalformed);
  assert.throws(sign(""), isMalformed);
});
