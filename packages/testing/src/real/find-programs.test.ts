import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findPrograms } from "./find-programs.ts";

function folderWith(...names: readonly string[]): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "kubewright-programs-"));
  mkdirSync(join(path, "programs"));
  for (const name of names) writeFileSync(join(path, "programs", name), "");
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("the folder that KUBEBUILDER_ASSETS names comes first when it has all programs of the level", () => {
  using own = folderWith("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok");
  using given = folderWith("etcd", "kube-apiserver", "kubectl");
  const env = { KUBEBUILDER_ASSETS: join(given.path, "programs"), KUBEWRIGHT_CACHE: own.path };
  assert.equal(findPrograms("control-plane", env), join(given.path, "programs"));
  assert.equal(findPrograms("controllers", env), join(own.path, "programs"));
});

test("without the programs the error names them, where they were sought and how to get them", () => {
  using given = folderWith("etcd", "kube-apiserver");
  const env = { KUBEBUILDER_ASSETS: join(given.path, "programs"), KUBEWRIGHT_CACHE: "/nowhere" };
  assert.throws(
    () => findPrograms("controllers", env),
    (error: Error) =>
      ["kube-scheduler, kwok", join(given.path, "programs"), "/nowhere/programs", "set KUBEBUILDER_ASSETS"].every(
        (part) => error.message.includes(part),
      ),
  );
});
