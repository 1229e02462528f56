import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startControlPlane } from "@kubewright/testing";
import { parseAllDocuments } from "yaml";
import { projectFolder, run } from "../test/command-line.ts";
import { makeGoldenProject } from "../test/golden-project.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";

test("config/default is what kustomize makes the same installation of as build-installer, patches included", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  const patch = "- op: replace\n  path: /spec/replicas\n  value: 2\n";
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1alpha1",
    kind: "Component",
    patches: [{ target: { kind: "Deployment" }, patch }],
  };
  await writeFile(join(folder.path, "config/patches/kustomization.yaml"), JSON.stringify(kustomization));
  await run({ folder: folder.path }, "build-installer");
  const own = await readFile(join(folder.path, "dist/install.yaml"), "utf8");
  const theirs = kubectl(["kustomize", join(folder.path, "config/default")]).stdout;
  assert.deepEqual(objectsByName(own), objectsByName(theirs));
  assert.match(own, /replicas: 2/);
});

test("kubectl apply -k of all folders is accepted by kube-apiserver without a warning", async () => {
  await using folder = await projectFolder();
  await makeGoldenProject(folder.path);
  await using plane = await startControlPlane({ programs });
  const config = ["--kubeconfig", plane.kubeconfig];
  const namespace = join(folder.path, "config/manager/namespace.yaml");
  assert.equal(kubectl([...config, "apply", "-f", namespace]).status, 0);
  const tree = join(folder.path, "config/default");
  const checked = kubectl([...config, "apply", "-k", tree, "--dry-run=server"]);
  assert.deepEqual([checked.status, checked.stderr], [0, ""]);
  const applied = kubectl([...config, "apply", "-k", tree]);
  assert.deepEqual([applied.status, applied.stderr], [0, ""]);
  const waited = kubectl([...config, "wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
  assert.equal(waited.status, 0, waited.stderr);
  const samples = kubectl([...config, "apply", "-k", join(folder.path, "config/samples")]);
  assert.deepEqual([samples.status, samples.stderr], [0, ""]);
});

function kubectl(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(join(programs, "kubectl"), args, { encoding: "utf8", maxBuffer: 2 ** 26 });
}

function objectsByName(text: string): ReadonlyMap<string, unknown> {
  const objects = parseAllDocuments(text).map((document) => document.toJS());
  return new Map(
    objects
      .map((object) => [`${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name}`, object] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
