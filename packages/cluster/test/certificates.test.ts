/** Certificate requests on the embedded cluster, beyond what is expected of any: whom certificates make somebody, and when requests go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SelfSubjectReview } from "@kubewright/api/authentication/v1";
import { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { ClusterRoleBinding } from "@kubewright/api/rbac/v1";
import { createCluster } from "@kubewright/cluster";
import { createCertificateRequest } from "@kubewright/node/certificates";
import { type Client, createClient, createHttpTransport, waitFor } from "@kubewright/runtime";
import { startCluster } from "@kubewright/testing";

type Asking = Omit<NonNullable<CertificateSigningRequest["spec"]>, "request">;
const CLIENT: Asking = { signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] };
const KUBELET: Asking = {
  signerName: "kubernetes.io/kube-apiserver-client-kubelet",
  usages: ["digital signature", "client auth"],
};

/** Asks for a certificate; answers with the private key. */
async function ask(
  client: Client,
  name: string,
  spec: Partial<Asking> = CLIENT,
  organizations = ["developers"],
): Promise<string> {
  const { request, key } = createCertificateRequest({ commonName: name, organizations });
  const encoded = Buffer.from(request).toString("base64");
  const metadata = { name: name.replaceAll(":", "-") };
  await client.create(CertificateSigningRequest, { metadata, spec: { ...CLIENT, ...spec, request: encoded } });
  return key;
}

async function decide(client: Client, name: string, type: "Approved" | "Denied"): Promise<void> {
  const request = await client.get(CertificateSigningRequest, name);
  const status = { conditions: [{ type, status: "True", reason: "Tested" } as const] };
  await client.subresource(CertificateSigningRequest, "approval").update(request, { ...request, status });
}

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.list(CertificateSigningRequest)).items.map(({ metadata }) => metadata?.name ?? "");
}

test("who has an issued certificate is the user, in the groups, that it names", async () => {
  await using cluster = await createCluster();
  const { url, certificateAuthority = "" } = await cluster.apiServer.listen();
  const { client } = cluster;
  const key = await ask(client, "jane");
  await decide(client, "jane", "Approved");
  const signed = await waitFor(client, CertificateSigningRequest, "jane", {
    condition: (request) => Boolean(request?.status?.certificate),
  });
  const cert = Buffer.from(signed?.status?.certificate ?? "", "base64").toString();
  const transport = createHttpTransport({ server: url, tls: async () => ({ ca: certificateAuthority, cert, key }) });
  const review = await createClient({ transport }).create(SelfSubjectReview, {});
  assert.deepEqual(review.status?.userInfo, {
    username: "jane",
    groups: ["developers", "system:authenticated"],
  });
  transport.close();
});

test("a node's request for itself is approved when its group may ask, and waits otherwise", async () => {
  await using cluster = await startCluster();
  const { client, settled } = cluster;
  const node = client.with({
    impersonate: { user: "system:node:n", groups: ["system:nodes", "system:authenticated"] },
  });
  await client.create(ClusterRoleBinding, {
    metadata: { name: "nodes-ask" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node-bootstrapper" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" }],
  });
  await ask(node, "system:node:n", KUBELET, ["system:nodes"]);
  await settled();
  const request = async () => (await client.get(CertificateSigningRequest, "system-node-n")).status;
  assert.deepEqual(await request(), {});
  await client.create(ClusterRoleBinding, {
    metadata: { name: "nodes-renew" },
    roleRef: {
      apiGroup: "rbac.authorization.k8s.io",
      kind: "ClusterRole",
      name: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
    },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" }],
  });
  await client.delete(CertificateSigningRequest, "system-node-n");
  await ask(node, "system:node:n", KUBELET, ["system:nodes"]);
  await settled();
  const { conditions = [], certificate } = (await request()) ?? {};
  const message = "Auto approving self kubelet client certificate after SubjectAccessReview.";
  assert.deepEqual([conditions[0]?.message, Boolean(certificate)], [message, true]);
});

test("what was decided goes an hour later, and what nobody decides after a day", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  for (const name of ["signed", "denied", "failed", "foreign", "waiting"]) {
    const signerName = name === "foreign" ? "example.com/signer" : CLIENT.signerName;
    await ask(client, name, { signerName, usages: [name === "failed" ? "server auth" : "client auth"] });
  }
  for (const name of ["signed", "failed", "foreign"]) await decide(client, name, "Approved");
  await decide(client, "denied", "Denied");
  await cluster.advance("59m");
  assert.deepEqual(await namesOf(client), ["denied", "failed", "foreign", "signed", "waiting"]);
  await cluster.advance("2m");
  assert.deepEqual(await namesOf(client), ["foreign", "waiting"]);
  await cluster.advance("22h58m");
  assert.deepEqual(await namesOf(client), ["foreign", "waiting"]);
  await cluster.advance("2m");
  assert.deepEqual(await namesOf(client), []);
});

test("a request whose certificate ends goes with it", async () => {
  await using cluster = await startCluster();
  await ask(cluster.client, "brief", { ...CLIENT, expirationSeconds: 600 });
  await decide(cluster.client, "brief", "Approved");
  await cluster.advance("9m");
  assert.deepEqual(await namesOf(cluster.client), ["brief"]);
  await cluster.advance("2m");
  assert.deepEqual(await namesOf(cluster.client), []);
});
