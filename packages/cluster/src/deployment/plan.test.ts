import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deployment, DeploymentStatus, ReplicaSet } from "@kubewright/api/apps/v1";
import { type Random, seededRandom } from "@kubewright/core/ports";
import { boundsOf } from "./bounds.ts";
import { planRollout, type RolloutAction } from "./plan.ts";
import { REVISION, REVISION_HISTORY, revisionOf } from "./replica-sets.ts";

const RUNS = 300;

test("a rollout of any size and strategy ends with the wanted pods and never leaves its bounds", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = seededRandom(seed);
    const world = createWorld(deploymentOf(1 + pick(random, 12), anyStrategy(random)));
    settle(world, random);
    world.deployment = withImage(world.deployment, "b");
    settle(world, random, () => assertBounds(world, seed));
    const current = world.sets.filter((set) => set.spec?.replicas !== 0);
    assert.equal(current.length, 1, `seed ${seed}`);
    assert.equal(current[0]?.spec?.replicas, world.deployment.spec?.replicas, `seed ${seed}`);
    assert.equal(current[0]?.metadata?.annotations?.[REVISION], "2", `seed ${seed}`);
  }
});

test("a Deployment resized in the middle of a rollout keeps its proportions and still ends well", () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = seededRandom(seed);
    const world = createWorld(deploymentOf(4 + pick(random, 10), { type: "RollingUpdate" }));
    settle(world, random);
    world.deployment = withImage(world.deployment, "b");
    for (let step = 0; step < 3; step++) advance(world, random);
    world.deployment = withReplicas(world.deployment, pick(random, 20));
    settle(world, random);
    assert.equal(totalWanted(world), world.deployment.spec?.replicas, `seed ${seed}`);
  }
});

test("going back to an old template reuses its ReplicaSet under a new revision and remembers the old one", () => {
  const random = seededRandom(7);
  const world = createWorld(deploymentOf(3, { type: "RollingUpdate" }));
  settle(world, random);
  world.deployment = withImage(world.deployment, "b");
  settle(world, random);
  world.deployment = withImage(world.deployment, "a");
  settle(world, random);
  const current = world.sets.find((set) => set.spec?.replicas === 3);
  assert.equal(world.sets.length, 2);
  assert.equal(current?.metadata?.annotations?.[REVISION], "3");
  assert.equal(current?.metadata?.annotations?.[REVISION_HISTORY], "1");
});

test("a paused Deployment is scaled but not rolled", () => {
  const random = seededRandom(7);
  const world = createWorld(deploymentOf(3, { type: "RollingUpdate" }));
  settle(world, random);
  world.deployment = withReplicas(withImage(world.deployment, "b"), 5);
  world.deployment = { ...world.deployment, spec: { ...world.deployment.spec, paused: true } as never };
  settle(world, random);
  assert.equal(world.sets.length, 1);
  assert.equal(world.sets[0]?.spec?.replicas, 5);
});

test("old ReplicaSets beyond the history limit go, oldest first", () => {
  const random = seededRandom(7);
  const world = createWorld(deploymentOf(2, { type: "RollingUpdate" }));
  for (const image of ["a", "b", "c", "d"]) {
    world.deployment = withImage(world.deployment, image);
    settle(world, random);
  }
  world.deployment = { ...world.deployment, spec: { ...world.deployment.spec, revisionHistoryLimit: 1 } as never };
  settle(world, random);
  assert.deepEqual(world.sets.map(revisionOf).toSorted(), [3, 4]);
});

/** ReplicaSets whose pods come and go at random speed. */
interface World {
  deployment: Deployment;
  sets: ReplicaSet[];
  created: number;
}

function createWorld(deployment: Deployment): World {
  return { deployment, sets: [], created: 0 };
}

/** Steps until nothing is left to do; `check` sees every state on the way. */
function settle(world: World, random: Random, check: () => void = () => {}): void {
  for (let step = 0; step < 500; step++) {
    if (!advance(world, random)) return;
    check();
  }
  assert.fail("the rollout did not end");
}

/** One step of the controller and of its pods; false when neither had anything to do. */
function advance(world: World, random: Random): boolean {
  const { actions } = planRollout({ deployment: world.deployment, sets: world.sets, pods: [] });
  for (const action of actions) perform(world, action);
  const moved = movePods(world, random);
  const before = JSON.stringify(world.deployment.status);
  world.deployment = { ...world.deployment, status: statusOf(world) };
  return actions.length > 0 || moved || before !== JSON.stringify(world.deployment.status);
}

function perform(world: World, action: RolloutAction): void {
  switch (action.do) {
    case "create": {
      const uid = `set-${world.created++}`;
      const creationTimestamp = new Date(world.created * 1000).toISOString();
      world.sets.push({
        ...action.set,
        metadata: { ...action.set.metadata, uid, creationTimestamp },
        status: { replicas: 0 },
      });
      return;
    }
    case "delete":
      world.sets = world.sets.filter((set) => set !== action.set);
      return;
    case "annotate":
    case "scale":
      world.sets = world.sets.map((set) =>
        set.metadata?.uid !== action.set.metadata?.uid
          ? set
          : {
              ...set,
              metadata: { ...set.metadata, annotations: { ...set.metadata?.annotations, ...action.annotations } },
              ...(action.do === "scale" && set.spec ? { spec: { ...set.spec, replicas: action.replicas } } : {}),
            },
      );
  }
}

/** Pods beyond the wanted number go at once; one missing or unavailable pod of a random set comes up. */
function movePods(world: World, random: Random): boolean {
  let moved = false;
  world.sets = world.sets.map((set) => {
    const wanted = set.spec?.replicas ?? 0;
    const available = Math.min(set.status?.availableReplicas ?? 0, wanted);
    const grows = available < wanted && (random.next() < 0.5 || world.sets.length === 1);
    moved ||= set.status?.replicas !== wanted || available < wanted || set.status?.availableReplicas !== available;
    return { ...set, status: { replicas: wanted, availableReplicas: available + (grows ? 1 : 0) } };
  });
  return moved;
}

function statusOf(world: World): DeploymentStatus {
  const current = world.sets.find((set) => imageOf(set) === imageOf(world.deployment));
  const sum = (count: (set: ReplicaSet) => number | undefined): number =>
    world.sets.reduce((total, set) => total + (count(set) ?? 0), 0);
  return {
    replicas: sum((set) => set.status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    availableReplicas: sum((set) => set.status?.availableReplicas),
    observedGeneration: world.deployment.metadata?.generation ?? 0,
  };
}

function assertBounds(world: World, seed: number): void {
  if (world.deployment.spec?.strategy?.type === "Recreate") return;
  const { desired, surge, unavailable } = boundsOf(world.deployment);
  const available = world.sets.reduce((total, set) => total + (set.status?.availableReplicas ?? 0), 0);
  assert.ok(totalWanted(world) <= desired + surge, `seed ${seed}: ${totalWanted(world)} of ${desired} + ${surge}`);
  assert.ok(available >= desired - unavailable, `seed ${seed}: ${available} available of ${desired} - ${unavailable}`);
}

function totalWanted(world: World): number {
  return world.sets.reduce((total, set) => total + (set.spec?.replicas ?? 0), 0);
}

function imageOf(object: Deployment | ReplicaSet): string | undefined {
  return object.spec?.template?.spec?.containers[0]?.image;
}

function deploymentOf(replicas: number, strategy: object): Deployment {
  const labels = { app: "web" };
  return {
    metadata: { name: "web", namespace: "default", uid: "web", generation: 1 },
    spec: {
      replicas,
      strategy,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "a" }] } },
    },
  };
}

function withImage(deployment: Deployment, image: string): Deployment {
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } };
  return next({ ...deployment, spec: { ...deployment.spec, template } as never });
}

function withReplicas(deployment: Deployment, replicas: number): Deployment {
  return next({ ...deployment, spec: { ...deployment.spec, replicas } as never });
}

function next(deployment: Deployment): Deployment {
  return {
    ...deployment,
    metadata: { ...deployment.metadata, generation: (deployment.metadata?.generation ?? 0) + 1 },
  };
}

function anyStrategy(random: Random): object {
  if (random.next() < 0.2) return { type: "Recreate" };
  const amount = (): string | number => (random.next() < 0.5 ? pick(random, 4) : `${pick(random, 100)}%`);
  return { type: "RollingUpdate", rollingUpdate: { maxSurge: amount(), maxUnavailable: amount() } };
}

function pick(random: Random, below: number): number {
  return Math.floor(random.next() * below);
}
