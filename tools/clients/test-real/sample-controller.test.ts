/** k8s.io/sample-controller, unchanged: client-go informers, listers, a work queue and events, as its README runs it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { Deployment } from "@kubewright/api/apps/v1";
import { Event } from "@kubewright/api/core/v1";
import { defineResource } from "@kubewright/core/schema";
import { parse } from "yaml";
import { z } from "zod";
import { startForeignProgram } from "../foreign-program.ts";
import { goModuleSources } from "../go-module.ts";
import { eventually, startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder } from "../toolchain.ts";

const VERSION = "v0.36.3";
const Foo = defineResource({
  group: "samplecontroller.k8s.io",
  version: "v1alpha1",
  kind: "Foo",
  spec: z.object({ deploymentName: z.string(), replicas: z.int32() }),
  status: z.object({ availableReplicas: z.int32().optional() }),
});

let sources: string;
let program: string;

before(async () => {
  sources = await goModuleSources("k8s.io/sample-controller", VERSION);
  program = join(cacheFolder("sample-controller"), "sample-controller");
  await build("go", ["build", "-o", program, "."], { cwd: sources });
});

function example(name: string) {
  return parse(readFileSync(join(sources, "artifacts", "examples", name), "utf8"));
}

test("sample-controller makes a Deployment of a Foo, follows it and records Synced", async () => {
  await using served = await startServedCluster();
  const { client } = served;
  await client.create(CustomResourceDefinition, example("crd-status-subresource.yaml"));
  await using controller = startForeignProgram(program, [`--kubeconfig=${served.kubeconfig}`], {});
  const foo = await client.create(Foo, example("example-foo.yaml"));
  const target = { name: "example-foo", namespace: "default" };
  const available = (replicas: number): Promise<unknown> =>
    eventually(
      `${replicas} replicas are available`,
      async () => {
        controller.requireRunning();
        return (await client.get(Foo, target)).status?.availableReplicas === replicas;
      },
      controller.output,
    );
  await available(1);
  const deployment = await client.get(Deployment, target);
  assert.equal(deployment.metadata?.ownerReferences?.[0]?.uid, foo.metadata.uid);
  await client.patch(Foo, target, { merge: { spec: { replicas: 3 } } });
  await available(3);
  await eventually("the event Synced is recorded", async () => {
    const { items } = await client.list(Event, { namespace: "default" });
    return items.some(({ reason, involvedObject }) => reason === "Synced" && involvedObject.uid === foo.metadata.uid);
  });
  // Its cache may lag behind its own writes; it says so and tries again.
  const errors = controller
    .output()
    .split("\n")
    .filter((line) => /^E\d{4} /.test(line));
  assert.deepEqual(
    errors.filter((line) => !line.includes("the object has been modified")),
    [],
  );
});

/** What it does on kube-apiserver, too: it asks for a subresource that this CRD does not have, and tries for ever. */
test("sample-controller with its CRD without a status makes the Deployment and cannot report", async () => {
  await using served = await startServedCluster();
  const { client } = served;
  await client.create(CustomResourceDefinition, example("crd.yaml"));
  await using controller = startForeignProgram(program, [`--kubeconfig=${served.kubeconfig}`], {});
  await client.create(Foo, example("example-foo.yaml"));
  const target = { name: "example-foo", namespace: "default" };
  await eventually("the Deployment is available", async () => {
    controller.requireRunning();
    return (await client.find(Deployment, target))?.status?.availableReplicas === 1;
  });
  const refusal = 'err="foos.samplecontroller.k8s.io \\"example-foo\\" not found"';
  await eventually("it was refused", async () => controller.output().includes(refusal), controller.output);
  assert.equal((await client.get(Foo, target)).status, undefined);
});
