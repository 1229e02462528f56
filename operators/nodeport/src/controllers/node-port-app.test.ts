import assert from "node:assert/strict";
import { test } from "node:test";
import { startCluster } from "@kubewright/testing";
import { isConditionTrue } from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { NodePortApp } from "../api/v1/node-port-app.ts";
import { nodePortAppController } from "./node-port-app.ts";

const spec = { image: "nginx:1.27", nodePortNumber: 30123 };

test("a NodePortApp runs its image behind the port of the nodes", async () => {
  await using cluster = await startCluster({ controllers: [nodePortAppController] });
  await cluster.client.create(NodePortApp, { metadata: { name: "web" }, spec });
  await cluster.settled();
  assert.equal((await cluster.client.get(Service, "web")).spec?.ports?.[0]?.nodePort, 30123);
  assert.equal((await cluster.client.get(Deployment, "web")).status?.availableReplicas, 1);
  assert.ok(isConditionTrue((await cluster.client.get(NodePortApp, "web")).status?.conditions, "Ready"));
});

test("a port outside the range of node ports is refused", async () => {
  await using cluster = await startCluster({ controllers: [nodePortAppController] });
  await assert.rejects(
    cluster.client.create(NodePortApp, { metadata: { name: "web" }, spec: { ...spec, nodePortNumber: 80 } }),
    /spec\.nodePortNumber: Invalid value: 80: spec\.nodePortNumber in body should be greater than or equal to 30000/,
  );
});
