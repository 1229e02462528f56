/**
 * The tests of the runtime that hold on any server, on kube-apiserver: all in this process, one after another, on a control
 * plane of their own.
 */
import { after } from "node:test";
import { startControlPlane } from "@kubewright/testing";

const plane = await startControlPlane({ programs: process.env["KUBEWRIGHT_PROGRAMS"] ?? "" });
after(() => plane.stop());
process.env["KUBEWRIGHT_TEST_KUBECONFIG"] = plane.kubeconfig;

for (const name of ["app", "client", "controller", "informer", "namespaces", "reconcile", "writes"]) {
  await import(`../test/anywhere/${name}.test.ts`);
}
