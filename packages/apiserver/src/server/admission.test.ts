import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { createCertificateRequest } from "@kubewright/node/certificates";
import { createContractApi } from "../contract/api.ts";
import type { WebhookRequest } from "../webhook/caller.ts";
import type { ApiServerOptions } from "./options.ts";
import { type ApiServer, createApiServer } from "./server.ts";

function start(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  return createApiServer({ clock: systemClock, random: seededRandom(1), ...options });
}

test("pods act as a service account and find its token, once that plugin is on", async () => {
  await using server = await start({
    admission: { enable: ["ServiceAccount"], disable: ["DefaultTolerationSeconds"] },
  });
  const api = createContractApi(server.transport, "default");
  const pods = "/api/v1/namespaces/default/pods";
  const pod = (name: string, spec: object): object => ({
    metadata: { name },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  });
  const missing = await api.post(pods, pod("missing", { serviceAccountName: "robot" }));
  assert.equal(
    missing.body.message,
    'pods "missing" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found',
  );
  const account = { metadata: { name: "robot" }, imagePullSecrets: [{ name: "pull" }] };
  await api.post("/api/v1/namespaces/default/serviceaccounts", account);
  const { spec } = (await api.post(pods, pod("robot", { serviceAccountName: "robot" }))).body;
  const [volume] = spec.volumes;
  assert.match(volume.name, /^kube-api-access-[a-z0-9]{5}$/);
  assert.equal(volume.projected.sources[0].serviceAccountToken.expirationSeconds, 3607);
  assert.deepEqual(spec.containers[0].volumeMounts, [
    { name: volume.name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
  ]);
  assert.deepEqual([spec.imagePullSecrets, spec.tolerations], [[{ name: "pull" }], undefined]);
  const unmounted = await api.post(
    pods,
    pod("plain", { serviceAccountName: "robot", automountServiceAccountToken: false }),
  );
  assert.equal(unmounted.body.spec.volumes, undefined);
});

test("a plugin that nobody knows is an error of the one who starts the server", async () => {
  await assert.rejects(start({ admission: { enable: ["NoSuchPlugin"] } }), /no admission plugin is named NoSuchPlugin/);
});

test("webhooks of services are called where the resolver says, with the service's name", async () => {
  const sent: WebhookRequest[] = [];
  await using server = await start({
    webhooks: {
      resolveService: ({ name }) => (name === "hook" ? { host: "127.0.0.1", port: 9443 } : undefined),
      async send(request) {
        sent.push(request);
        const { uid } = JSON.parse(request.body).request;
        const answer = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid, allowed: true } };
        return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
      },
    },
  });
  const api = createContractApi(server.transport, "default");
  const configure = (name: string): Promise<unknown> =>
    api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      metadata: { name },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { service: { namespace: "system", name, path: "/validate" } },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
  await configure("hook");
  assert.equal((await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "a" } })).status, 201);
  assert.equal(sent[0]?.url, "https://hook.system.svc:443/validate?timeout=10s");
  assert.deepEqual(sent[0]?.address, { host: "127.0.0.1", port: 9443 });
  await configure("nobody");
  const failed = await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "b" } });
  assert.equal(
    failed.body.message,
    'Internal error occurred: failed calling webhook "nobody.example.com": failed to call webhook: Post "https://nobody.system.svc:443/validate?timeout=10s": no endpoints available for service "nobody"',
  );
});

test("certificates are approved only by who may approve for their signer, and never for the privileged group", async () => {
  await using server = await start();
  const api = createContractApi(server.transport, "default");
  const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const csr = (name: string, organizations: readonly string[]): object => ({
    metadata: { name },
    spec: {
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
      request: Buffer.from(createCertificateRequest({ commonName: "ann", organizations }).request).toString("base64"),
    },
  });
  const privileged = await api.post(requests, csr("all", ["system:masters"]));
  assert.equal(
    privileged.body.message,
    'certificatesigningrequests.certificates.k8s.io "all" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  );
  assert.equal((await api.post(requests, csr("some", ["team"]))).status, 201);
});
