import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Namespace, Pod, ServiceAccount } from "@kubewright/api/core/v1";
import { createCluster } from "@kubewright/cluster";
import { startCluster } from "@kubewright/testing";

test("every namespace has a default service account, which comes back when deleted", async () => {
  await using cluster = await startCluster();
  await cluster.client.create(Namespace, { metadata: { name: "shop" } });
  await cluster.settled();
  for (const namespace of ["default", "kube-system", "shop"]) {
    assert.notEqual(await cluster.client.find(ServiceAccount, { name: "default", namespace }), undefined, namespace);
  }
  const before = await cluster.client.get(ServiceAccount, { name: "default", namespace: "shop" });
  await cluster.client.delete(ServiceAccount, before);
  await cluster.settled();
  const after = await cluster.client.get(ServiceAccount, { name: "default", namespace: "shop" });
  assert.notEqual(after.metadata?.uid, before.metadata?.uid);
});

test("every namespace has the root certificate, whoever changes it", async () => {
  await using cluster = await startCluster();
  await cluster.settled();
  const published = await cluster.client.get(ConfigMap, "kube-root-ca.crt");
  assert.deepEqual(Object.keys(published.data ?? {}), ["ca.crt"]);
  await cluster.client.patch(ConfigMap, "kube-root-ca.crt", { merge: { data: { "ca.crt": "changed", more: "x" } } });
  await cluster.settled();
  assert.deepEqual((await cluster.client.get(ConfigMap, "kube-root-ca.crt")).data, published.data);
  await cluster.client.delete(ConfigMap, "kube-root-ca.crt");
  await cluster.settled();
  assert.deepEqual((await cluster.client.get(ConfigMap, "kube-root-ca.crt")).data, published.data);
});

test("with the admission plugin of service accounts, pods run as one and mount its token", async () => {
  await using cluster = await createCluster({ admission: { enable: ["ServiceAccount"] }, controllers: [] });
  const { client } = cluster;
  const create = () =>
    client.create(Pod, { metadata: { name: "app" }, spec: { containers: [{ name: "app", image: "app" }] } });
  await assert.rejects(create, /error looking up service account default\/default/);
  await client.create(ServiceAccount, { metadata: { name: "default" } });
  const { spec } = await create();
  assert.equal(spec?.serviceAccountName, "default");
  assert.equal(spec?.containers[0]?.volumeMounts?.[0]?.mountPath, "/var/run/secrets/kubernetes.io/serviceaccount");
});
