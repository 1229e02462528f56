import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, PodStatus } from "@kubewright/api/core/v1";
import { podAt } from "./pod-lifecycle.ts";
import type { ContainerScript } from "./script.ts";

const START_MS = Date.UTC(2026, 0, 1);
const place = { hostIP: "10.0.0.1", podIP: "10.244.0.1" };

/** The statuses that a pod goes through, each with the seconds since its start. */
function life(pod: Pod, scripts: readonly ContainerScript[], seconds: number): { at: number; status: PodStatus }[] {
  const statuses: { at: number; status: PodStatus }[] = [];
  let current = pod;
  for (let now: number | undefined = START_MS; now !== undefined && now <= START_MS + seconds * 1000; ) {
    const { status, changesAt } = podAt(current, scripts, place, now);
    statuses.push({ at: (now - START_MS) / 1000, status });
    current = { ...current, status };
    now = changesAt;
  }
  return statuses;
}

function isReady(status: PodStatus): boolean {
  return status.conditions?.find(({ type }) => type === "Ready")?.status === "True";
}

test("init containers come one after the other, then the containers, then the pod is ready", () => {
  const initContainers = [
    { name: "first", image: "slow" },
    { name: "second", image: "slow" },
  ];
  const pod: Pod = { spec: { initContainers, containers: [{ name: "main", image: "app" }] } };
  const seen = life(pod, [{ image: "slow", runsFor: "5s" }], 60);
  assert.deepEqual(
    seen.map(({ at, status }) => [at, status.phase, isReady(status)]),
    [
      [0, "Pending", false],
      [5, "Pending", false],
      [10, "Running", true],
    ],
  );
});

test("a sidecar starts before the containers, belongs to readiness and ends with them", () => {
  const initContainers = [{ name: "proxy", image: "proxy", restartPolicy: "Always" }];
  const pod: Pod = { spec: { restartPolicy: "Never", initContainers, containers: [{ name: "main", image: "app" }] } };
  const scripts = [
    { image: "proxy", startsAfter: "2s", readyAfter: "3s" },
    { image: "app", runsFor: "10s" },
  ];
  const seen = life(pod, scripts, 60);
  assert.deepEqual(
    seen.map(({ at, status }) => [at, status.phase, isReady(status)]),
    [
      [0, "Pending", false],
      [2, "Running", false],
      [5, "Running", true],
      [12, "Succeeded", false],
    ],
  );
  assert.equal(seen.at(-1)?.status.initContainerStatuses?.[0]?.state?.terminated?.exitCode, 0);
});

test("a pod that is active beyond its deadline fails", () => {
  const pod: Pod = { spec: { activeDeadlineSeconds: 30, containers: [{ name: "main", image: "app" }] } };
  const { at, status } = life(pod, [], 60).at(-1) ?? { at: 0, status: {} };
  assert.deepEqual([at, status.phase, status.reason], [30, "Failed", "DeadlineExceeded"]);
  assert.ok(status.containerStatuses?.every(({ state }) => state?.terminated !== undefined));
});

test("a container that keeps failing waits longer each time before it is started again", () => {
  const pod: Pod = { spec: { containers: [{ name: "main", image: "app" }] } };
  const seen = life(pod, [{ image: "app", runsFor: "1s", exitCode: 1 }], 100);
  const starts = seen.filter(({ status }) => status.containerStatuses?.[0]?.state?.running).map(({ at }) => at);
  assert.deepEqual(starts, [0, 11, 32, 73]);
  const waiting = seen.find(({ status }) => status.containerStatuses?.[0]?.state?.waiting);
  assert.equal(waiting?.status.containerStatuses?.[0]?.state?.waiting?.reason, "CrashLoopBackOff");
});
