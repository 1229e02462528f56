import assert from "node:assert/strict";
import { test } from "node:test";
import { ValidatingWebhookConfiguration } from "@kubewright/api/admissionregistration/v1";
import { ConfigMap, Service } from "@kubewright/api/core/v1";
import { startCluster } from "@kubewright/testing";

test("a webhook that is named by its Service is called where the Service leads", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  await client.create(Service, { metadata: { name: "hook" }, spec: { ports: [{ port: 1 }] } });
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: "hook" },
    webhooks: [
      {
        name: "hook.example.com",
        clientConfig: { service: { name: "hook", namespace: "default", port: 1 } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const create = (): Promise<unknown> => client.create(ConfigMap, { metadata: { name: "settings" } });
  await assert.rejects(create, /no endpoints available for service "hook"/);
  await client.patch(Service, "hook", { merge: { spec: { type: "ExternalName", externalName: "localhost" } } });
  await assert.rejects(create, /dial tcp localhost:1: connect: connection refused/);
});
