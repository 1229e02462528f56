/** Certificate requests: which are approved and signed by the cluster itself, and what the certificates say. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { createCertificateRequest } from "@kubewright/node/certificates";
import type { Client } from "@kubewright/runtime";
import type { Expectation } from "./expectation.ts";

type Spec = NonNullable<CertificateSigningRequest["spec"]>;

type Asking = Omit<Spec, "request">;
const CLIENT: Asking = { signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] };
const KUBELET: Asking = {
  signerName: "kubernetes.io/kube-apiserver-client-kubelet",
  usages: ["digital signature", "client auth"],
};
const SERVING: Asking = { signerName: "kubernetes.io/kubelet-serving", usages: ["digital signature", "server auth"] };
const NODE = { commonName: "system:node:n", organizations: ["system:nodes"] };

/** DER of the extension "key usage", critical. */
const KEY_ENCIPHERMENT_ALONE = Buffer.from("0603551d0f0101ff040403020520", "hex");

/** What becomes of certificate requests. */
export const certificates: readonly Expectation[] = [
  {
    name: "an approved request of a client is signed, for the names and the time that it asks for",
    async run({ client, namespace, eventually }) {
      const names = { commonName: "jane", organizations: ["developers"] };
      const spec: Asking = { ...CLIENT, usages: ["key encipherment", "client auth"], expirationSeconds: 3600 };
      await request(client, namespace, { names, spec });
      assert.deepEqual((await client.get(CertificateSigningRequest, namespace)).status, {});
      await approve(client, namespace);
      await eventually(async () => {
        const certificate = await issued(client, namespace);
        assert.equal(certificate.subject, "O=developers\nCN=jane");
        assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
        assert.ok(certificate.raw.includes(KEY_ENCIPHERMENT_ALONE));
        const lifetimeMs = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
        assert.equal(lifetimeMs, 3_600_000 + 300_000); // It begins five minutes ago.
      });
      assert.deepEqual(await conditions(client, namespace), [["Approved", "True", "Tested", "by hand"]]);
    },
  },
  {
    name: "a certificate lasts a year unless less is asked for, and its name does not matter to the signer of clients",
    async run({ client, namespace, eventually }) {
      const spec = { ...CLIENT, expirationSeconds: 86_400 * 1000 };
      await request(client, namespace, { names: { commonName: "" }, spec });
      await approve(client, namespace);
      await eventually(async () => {
        const { validFrom, validTo } = await issued(client, namespace);
        assert.equal(Date.parse(validTo) - Date.parse(validFrom), 365 * 86_400_000);
      });
    },
  },
  {
    name: "a kubelet's request for a client certificate is approved and signed by itself when its maker may ask for it",
    async run({ client, namespace, eventually }) {
      await request(client, namespace, { names: NODE, spec: KUBELET });
      await eventually(async () => {
        assert.equal((await issued(client, namespace)).subject, "O=system:nodes\nCN=system:node:n");
      });
      const message = "Auto approving kubelet client certificate after SubjectAccessReview.";
      assert.deepEqual(await conditions(client, namespace), [["Approved", "True", "AutoApproved", message]]);
    },
  },
  {
    name: "a kubelet's request for a serving certificate waits for somebody, and is signed with its names",
    async run({ client, namespace, eventually }) {
      await request(client, namespace, {
        names: { ...NODE, dnsNames: ["n"], ipAddresses: ["10.0.0.7"] },
        spec: SERVING,
      });
      await approve(client, namespace);
      await eventually(async () => {
        assert.equal((await issued(client, namespace)).subjectAltName, "DNS:n, IP Address:10.0.0.7");
      });
    },
  },
  ...refused("a usage that clients do not have", {
    names: { commonName: "jane" },
    spec: { ...CLIENT, usages: ["client auth", "server auth"] },
    message: "invalid usage for client certificate: server auth",
  }),
  ...refused("no usage of a client", {
    names: { commonName: "jane" },
    spec: { ...CLIENT, usages: ["digital signature"] },
    message: "missing required usage for client certificate: client auth",
  }),
  ...refused("another organization than that of nodes", {
    names: { ...NODE, organizations: ["system:nodes", "others"] },
    spec: KUBELET,
    message: "subject organization is not system:nodes",
  }),
  ...refused("another name than that of a node", {
    names: { ...NODE, commonName: "n" },
    spec: KUBELET,
    message: "subject common name does not begin with system:node:",
  }),
  ...refused("names of hosts for a client", {
    names: { ...NODE, dnsNames: ["n"] },
    spec: KUBELET,
    message: "DNS subjectAltNames are not allowed",
  }),
  ...refused("no names of hosts for a server", {
    names: NODE,
    spec: SERVING,
    message: "DNS or IP subjectAltName is required",
  }),
  ...refused("usages of a client for a server", {
    names: { ...NODE, dnsNames: ["n"] },
    spec: { ...SERVING, usages: ["client auth"] },
    message: "usages did not match [digital signature key encipherment server auth]",
  }),
];

interface Asked {
  readonly names: Parameters<typeof createCertificateRequest>[0];
  readonly spec: Asking;
}

function refused(what: string, { message, ...asked }: Asked & { readonly message: string }): readonly Expectation[] {
  return [
    {
      name: `an approved request fails for ${what}`,
      async run({ client, namespace, eventually }) {
        await request(client, namespace, asked);
        await approve(client, namespace);
        await eventually(async () => {
          assert.deepEqual(await conditions(client, namespace), [
            ["Approved", "True", "Tested", "by hand"],
            ["Failed", "True", "SignerValidationFailure", message],
          ]);
        });
        assert.equal((await client.get(CertificateSigningRequest, namespace)).status?.certificate, undefined);
      },
    },
  ];
}

/** Requests belong to the whole cluster, so that they are named after the namespace of the expectation. */
async function request(client: Client, name: string, { names, spec }: Asked): Promise<void> {
  const { request: pem } = createCertificateRequest(names);
  await client.create(CertificateSigningRequest, {
    metadata: { name },
    spec: { ...spec, request: Buffer.from(pem).toString("base64") },
  });
}

async function approve(client: Client, name: string): Promise<void> {
  const found = await client.get(CertificateSigningRequest, name);
  const approval = { type: "Approved", status: "True", reason: "Tested", message: "by hand" } as const;
  const status = { conditions: [approval] };
  await client.subresource(CertificateSigningRequest, "approval").update(found, { ...found, status });
}

async function issued(client: Client, name: string): Promise<X509Certificate> {
  const { status } = await client.get(CertificateSigningRequest, name);
  assert.ok(status?.certificate, "there is no certificate");
  return new X509Certificate(Buffer.from(status.certificate, "base64"));
}

async function conditions(client: Client, name: string): Promise<readonly (readonly unknown[])[]> {
  const { status } = await client.get(CertificateSigningRequest, name);
  return (status?.conditions ?? []).map(({ type, status: is, reason, message }) => [type, is, reason, message]);
}
