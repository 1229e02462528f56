import assert from "node:assert/strict";
import { test } from "node:test";
import { compareServers, describeDifference } from "../run.ts";

const RUNS = 25;

test("random requests are answered as by kube-apiserver", async () => {
  const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
  const { requests, differences } = await compareServers(programs, { runs: RUNS, firstSeed: 1 });
  assert.deepEqual(differences.map(describeDifference), []);
  assert.ok(requests > RUNS, "the runs ended early");
});
