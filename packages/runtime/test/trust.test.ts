/** Whom a kubeconfig makes the client believe, over TLS. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type Files, readBody } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { createHttpTransport, findConnection, type HttpTransport } from "@kubewright/runtime";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
const issue = () => authority.issue({ commonName: "s", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });

/** A transport as a kubeconfig with this authority describes it. */
async function connect(server: string, ca: string): Promise<HttpTransport> {
  const kubeconfig = `
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
users: [{name: a, user: {token: t}}]
clusters: [{name: a, cluster: {server: "${server}", certificate-authority-data: ${Buffer.from(ca).toString("base64")}}}]
`;
  const files: Files = { read: async () => Buffer.from(kubeconfig), write: async () => {} };
  return createHttpTransport(await findConnection({ kubeconfig: "/k", env: {}, files, clock: systemClock }));
}

test("a kubeconfig may name the server's own certificate as its authority", async () => {
  const { certificate: cert, key } = issue();
  await using server = createServer({ cert, key });
  server.on("request", (_request: unknown, response: ServerResponse) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using transport = await connect(url, cert);
  const { body } = await transport.send({ method: "GET", path: "/" });
  assert.equal(new TextDecoder().decode(await readBody(body)), "ok");
  using misled = await connect(url, issue().certificate); // Another server's, of the same name.
  await assert.rejects(misled.send({ method: "GET", path: "/" }), /certificate/);
});
