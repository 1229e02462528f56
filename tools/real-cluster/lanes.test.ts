import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openLanes, takeLane } from "./lanes.ts";

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "kubewright-lanes-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

test("a lane is nobody else's until it is given back", () => {
  using folder = new Folder();
  openLanes(folder.path, [{ CLUSTER: "a" }, { CLUSTER: "b" }]);
  const lanes = [takeLane(folder.path), takeLane(folder.path)];
  assert.deepEqual(
    lanes.map((lane) => lane?.variables["CLUSTER"]),
    ["a", "b"],
  );
  assert.equal(takeLane(folder.path), undefined);
  lanes[1]?.giveBack();
  assert.deepEqual(takeLane(folder.path)?.variables, { CLUSTER: "b" });
});

test("the lane of a process that was killed is free", () => {
  using folder = new Folder();
  openLanes(folder.path, [{ CLUSTER: "a" }]);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  symlinkSync(String(pid), join(folder.path, "0.json.taken"));
  assert.deepEqual(takeLane(folder.path)?.variables, { CLUSTER: "a" });
});

test("a suite has the variables of its lane, and gives it back when it ends", () => {
  using folder = new Folder();
  openLanes(folder.path, [{ CLUSTER: "a" }]);
  const env = { ...process.env, KUBEWRIGHT_LANES: folder.path, NODE_TEST_CONTEXT: "child" };
  const args = ["--import", join(import.meta.dirname, "lane.ts"), "--eval", "console.log(process.env.CLUSTER)"];
  for (let suite = 0; suite < 2; suite += 1) {
    assert.equal(spawnSync(process.execPath, args, { env, encoding: "utf8" }).stdout, "a\n");
  }
});
