import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import type { Transport } from "@kubewright/core/ports";
import { createManager, exists, isGone, waitFor } from "@kubewright/runtime";
import { projectFolder, run } from "../../test/command-line.ts";
import { embeddedCluster } from "../../test/embedded-cluster.ts";
import { makeGoldenProject } from "../../test/golden-project.ts";
import { loadOperator } from "../project/load-operator.ts";

const NAMESPACE = "memcached-operator-system";
const ACCOUNT = {
  name: `system:serviceaccount:${NAMESPACE}:memcached-operator-controller-manager`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${NAMESPACE}`, "system:authenticated"],
};

test("the derived rights are all that the operator needs: it leads, reconciles and cleans up with nothing refused", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await using embedded = await embeddedCluster(folder.path);
  const { cluster, kubeconfig } = embedded;
  const settings = { folder: folder.path, env: { KUBECONFIG: kubeconfig } };
  const deployed = await run(settings, "deploy", "--no-wait");
  assert.equal(deployed.exitCode, 0, deployed.stderr);
  const refused: string[] = [];
  const inner = cluster.apiServer.transportAs(ACCOUNT);
  const transport: Transport = {
    async send(request) {
      const response = await inner.send(request);
      if (response.status === 403) refused.push(`${request.method} ${request.path}`);
      return response;
    },
  };
  const { operator, samples } = await loadOperator(folder.path);
  const leaderElection = { name: "memcached-operator", namespace: NAMESPACE, identity: "test" };
  await using manager = createManager({ transport, controllers: operator.controllers, leaderElection });
  await manager.start();
  const path = "/apis/cache.example.com/v1alpha1/namespaces/default/memcacheds";
  await cluster.client.request({ method: "POST", path, body: samples[0] });
  await waitFor(cluster.client, ConfigMap, "memcached-sample", { condition: exists });
  await cluster.client.request({ method: "DELETE", path: `${path}/memcached-sample` });
  await waitFor(cluster.client, ConfigMap, "memcached-sample", { condition: isGone });
  await manager.stop();
  assert.deepEqual(refused, []);
});

test("without its binding the operator can do nothing: the rights come from the manifests alone", async () => {
  await using folder = await projectFolder();
  await using embedded = await embeddedCluster(folder.path);
  const transport = embedded.cluster.apiServer.transportAs(ACCOUNT);
  const { status } = await transport.send({ method: "GET", path: "/api/v1/configmaps", headers: {} });
  assert.equal(status, 403);
});
