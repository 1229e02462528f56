import assert from "node:assert/strict";
import { test } from "node:test";
import { Node, Pod } from "@kubewright/api/core/v1";
import { createApiServer } from "@kubewright/apiserver";
import { seededRandom, type Transport } from "@kubewright/core/ports";
import { createClient, createManager } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";
import { createKubelet } from "../src/kubelet/kubelet.ts";

test("a gate that opens while the kubelet writes a status stays open", async () => {
  const [clock, random] = [new VirtualClock(), seededRandom(1)];
  await using server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport });
  let isOpen = false;
  const opening: Transport = {
    async send(request) {
      if (request.method === "PATCH" && request.path.includes("/pods/app/status") && !isOpen) {
        isOpen = true;
        const conditions = [{ type: "example.com/open", status: "True" }];
        await client.patch(Pod, "app", { strategic: { status: { conditions } } }, { subresource: "status" });
      }
      return server.transport.send(request);
    },
  };
  const manager = createManager({ transport: opening, controllers: [createKubelet()], clock, random });
  await client.create(Node, { metadata: { name: "node" } });
  const readinessGates = [{ conditionType: "example.com/open" }];
  const containers = [{ name: "app", image: "app:1" }];
  await client.create(Pod, { metadata: { name: "app" }, spec: { nodeName: "node", containers, readinessGates } });
  const started = manager.start();
  await clock.advance(10_000);
  await started;
  const { status } = await client.get(Pod, "app");
  const holding = status?.conditions?.filter((each) => each.status === "True").map(({ type }) => type);
  assert.ok(isOpen && holding?.includes("example.com/open") && holding.includes("Ready"), `${isOpen} ${holding}`);
  await manager.stop();
});
