import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { findCondition, isConditionTrue } from "kubewright";
import { Service } from "kubewright/core/v1";
import { AppService } from "../api/v1/app-service.ts";
import { appServiceController, serviceFor } from "./app-service.ts";

const image = "nginx:1.27";

test("a node port makes the Service a NodePort service, none makes it a ClusterIP service", () => {
  const object = (nodePort?: number): AppService => ({
    apiVersion: "app.example.com/v1",
    kind: "AppService",
    metadata: { name: "web" },
    spec: { size: 1, image, ports: [{ port: 80 }, { port: 443, targetPort: 8443, ...(nodePort && { nodePort }) }] },
  });
  assert.equal(serviceFor(object()).spec?.type, "ClusterIP");
  assert.equal(serviceFor(object(30443)).spec?.type, "NodePort");
  assert.deepEqual(
    serviceFor(object(30443)).spec?.ports?.map(({ port, targetPort, nodePort }) => [port, targetPort, nodePort]),
    [
      [80, 80, undefined],
      [443, 8443, 30443],
    ],
  );
});

test("a node port that is taken shows in the status, is retried, and heals when it is freed", async () => {
  await using cluster = await startCluster({ controllers: [appServiceController] });
  const ports = [{ port: 80, nodePort: 30080 }];
  await cluster.client.create(Service, { metadata: { name: "other" }, spec: { type: "NodePort", ports } });
  await cluster.client.create(AppService, { metadata: { name: "web" }, spec: { image, ports } });
  const conditionsOf = async () => (await cluster.client.get(AppService, "web")).status?.conditions;
  await cluster.eventually(async () => {
    const taken = findCondition(await conditionsOf(), "Degraded");
    assert.equal(taken?.status, "True");
    assert.match(taken?.message ?? "", /30080: provided port is already allocated/);
  });
  await cluster.client.delete(Service, "other");
  await cluster.eventually(async () => assert.ok(isConditionTrue(await conditionsOf(), "Ready")));
});
