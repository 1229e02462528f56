import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { programsOf } from "./programs.ts";

/** Runs a tool where there is no Go, with a cache of its own that goes with the test. */
class Machine implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "kubewright-build-"));

  run(tool: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const given = { PATH: "/nowhere", HOME: this.folder, KUBEWRIGHT_CACHE: this.folder, ...env };
    const program = join(import.meta.dirname, "..", tool);
    return spawnSync(process.execPath, [program, ...args], { encoding: "utf8", env: given });
  }

  /** Makes files in a folder of the cache. */
  write(folder: string, ...names: readonly string[]): string {
    const path = join(this.folder, folder);
    mkdirSync(path, { recursive: true });
    for (const name of names) writeFileSync(join(path, name), "");
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

test("a folder of KUBEBUILDER_ASSETS that has all programs of the level is taken as it is", () => {
  using machine = new Machine();
  const assets = machine.write("assets", "etcd", "kube-apiserver", "kubectl");
  const { stdout } = machine.run("real-cluster/build.ts", ["control-plane"], { KUBEBUILDER_ASSETS: assets });
  assert.equal(stdout.trim(), assets);
});

test("without Go and without programs the remedy is named, and test:real says beforehand that it cannot run", () => {
  using machine = new Machine();
  const build = machine.run("real-cluster/build.ts", ["control-plane"]);
  assert.match(build.stderr, /cannot run go: install Go/);
  const possible = machine.run("test-real.ts", ["--possible"]);
  assert.equal(possible.status, 1);
  assert.match(possible.stderr, /^not run: npm run test:real, levels .*, because etcd.* install Go/);
});

test("a lock whose process is gone holds nobody up", () => {
  using machine = new Machine();
  const lock = machine.write("programs/lock");
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(join(lock, "pid"), String(pid));
  assert.match(machine.run("real-cluster/build.ts", ["control-plane"]).stderr, /cannot run go: install Go/);
});

test("suites that cannot run on this machine are printed with the reason, and fail nothing", () => {
  using machine = new Machine();
  const programs = [...programsOf["control-plane"], ...programsOf.controllers].map(({ name }) => name);
  const assets = machine.write("assets", ...programs);
  const suites = ["packages/testing/test-node/node.test.ts", "tools/clients/test-real/kube-rs.test.ts"];
  const { stdout, status } = machine.run("test-real.ts", suites, { KUBEBUILDER_ASSETS: assets });
  assert.match(stdout, /^not run here: packages\/testing\/test-node\/node\.test\.ts, because it needs /);
  assert.match(
    stdout,
    /^not run here: tools\/clients\/test-real\/kube-rs\.test\.ts, because there is no cargo; install it$/m,
  );
  assert.equal(status, 0);
});
