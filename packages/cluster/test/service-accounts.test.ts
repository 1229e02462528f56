import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap, Namespace, Pod, Secret, ServiceAccount } from "@kubewright/api/core/v1";
import { createCluster } from "@kubewright/cluster";
import { startCluster, VirtualClock } from "@kubewright/testing";

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

test("once the API server listens, every namespace has the authority that signed its certificate", async () => {
  const clock = new VirtualClock();
  await using cluster = await createCluster({ clock });
  const client = cluster.client.with({ namespace: "default" });
  const annotations = { "kubernetes.io/service-account.name": "default" };
  const { certificateAuthority = "" } = await cluster.apiServer.listen();
  assert.match(certificateAuthority, /^-----BEGIN CERTIFICATE-----/);
  const type = "kubernetes.io/service-account-token";
  await client.create(Secret, { metadata: { name: "token", annotations }, type });
  await clock.advance(1000);
  for (const namespace of ["default", "kube-system"]) {
    const { data } = await client.get(ConfigMap, { name: "kube-root-ca.crt", namespace });
    assert.deepEqual(data, { "ca.crt": certificateAuthority });
  }
  const { data } = await client.get(Secret, "token");
  assert.equal(Buffer.from(data?.["ca.crt"] ?? "", "base64").toString("utf8"), certificateAuthority);
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

test("a token Secret gets a token that is believed, and goes with its account", async () => {
  await using cluster = await startCluster();
  await cluster.settled();
  await cluster.client.create(ServiceAccount, { metadata: { name: "robot" } });
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  const type = "kubernetes.io/service-account-token";
  await cluster.client.create(Secret, { metadata: { name: "robot-token", annotations }, type });
  await cluster.settled();
  const secret = await cluster.client.get(Secret, "robot-token");
  const token = Buffer.from(secret.data?.["token"] ?? "", "base64").toString("utf8");
  const path = "/apis/authentication.k8s.io/v1/tokenreviews";
  const review = async (): Promise<unknown> => {
    const answer = await cluster.client.request({ method: "POST", path, body: { spec: { token } } });
    return (answer as { readonly status: { readonly user?: { readonly username?: string } } }).status.user?.username;
  };
  assert.equal(await review(), "system:serviceaccount:default:robot");
  await cluster.client.delete(ServiceAccount, "robot");
  await cluster.settled();
  assert.equal(await cluster.client.find(Secret, "robot-token"), undefined);
  assert.notEqual(await review(), "system:serviceaccount:default:robot");
});
