import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { systemClock } from "@kubewright/node";
import { type Cause, Schedule } from "./schedule.ts";
import { WorkQueue } from "./work-queue.ts";

const STEPS = 1_000_000;

const cause = { kind: "requeue" } as const;

function take(schedule: Schedule<string>, nowMs: number): string | undefined {
  return schedule.take(nowMs)?.key;
}

test("a key that is added twice is handed out once, with both causes", () => {
  const schedule = new Schedule<string>();
  schedule.add("a", { readyMs: 0, priority: 0, cause });
  schedule.add("a", { readyMs: 0, priority: 0, cause: { kind: "retry", reason: "x" } });
  const item = schedule.take(0);
  assert.deepEqual(item?.causes, [cause, { kind: "retry", reason: "x" }]);
  assert.equal(take(schedule, 0), undefined);
});

test("a cause is told when it is remembered, so that nothing it is made of waits with the key", () => {
  const schedule = new Schedule<string>();
  let told = 0;
  const telling = (): Cause => ({ kind: "retry", reason: String(++told) });
  for (let count = 0; count < 20; count++) schedule.add("a", { readyMs: 0, priority: 0, cause: telling });
  const toldBefore = told;
  const causes = schedule.take(0)?.causes ?? [];
  assert.deepEqual([told, causes.length, causes[0]], [toldBefore, toldBefore, { kind: "retry", reason: "1" }]);
});

test("a queue that remembers no causes asks for none", async () => {
  const queue = new WorkQueue({ clock: systemClock, random: seededRandom(1), remembersCauses: false });
  const tell = (): Cause => assert.fail("nobody asked");
  for (let count = 0; count < 2; count++) queue.add("a", { cause: tell });
  assert.deepEqual((await queue.take())?.causes, []);
  queue.close();
});

test("R16: a key added while it is worked on waits for its end, then comes once", () => {
  const schedule = new Schedule<string>();
  schedule.add("a", { readyMs: 0, priority: 0, cause });
  assert.equal(take(schedule, 0), "a");
  schedule.add("a", { readyMs: 0, priority: 0, cause });
  schedule.add("a", { readyMs: 0, priority: 0, cause });
  assert.equal(take(schedule, 0), undefined);
  schedule.done("a");
  assert.equal(take(schedule, 0), "a");
  schedule.done("a");
  assert.equal(take(schedule, 0), undefined);
});

test("R18: fresh changes go before what merely exists, however much that is", () => {
  const schedule = new Schedule<string>();
  for (let count = 0; count < 50_000; count++) schedule.add(`old${count}`, { readyMs: 0, priority: -100, cause });
  schedule.add("fresh", { readyMs: 0, priority: 0, cause });
  assert.equal(take(schedule, 0), "fresh");
  assert.equal(take(schedule, 0), "old0");
});

test("a waiting key becomes as urgent as its most urgent cause", () => {
  const schedule = new Schedule<string>();
  schedule.add("a", { readyMs: 0, priority: -100, cause });
  schedule.add("b", { readyMs: 0, priority: -100, cause });
  schedule.add("b", { readyMs: 0, priority: 0, cause });
  assert.equal(take(schedule, 0), "b");
});

test("R18: a backlog is handed out in its order, each key once, when nothing else is ready", () => {
  const schedule = new Schedule<string>();
  const causeOf = (key: string): Cause => ({ kind: "resync", resource: "widgets", key });
  schedule.addBacklog(["a", "b", "c", "d"], { readyMs: 0, priority: -100, causeOf });
  assert.deepEqual(
    [schedule.waiting, schedule.readyCount(0), schedule.nextReadyMs()],
    [4, 4, Number.NEGATIVE_INFINITY],
  );
  assert.deepEqual(schedule.take(5), { key: "a", priority: -100, readyMs: 0, causes: [causeOf("a")] });
  schedule.add("c", { readyMs: 5, isReady: true, priority: 0, cause });
  schedule.add("d", { readyMs: 60_000, priority: 0, cause });
  schedule.add("a", { readyMs: 5, isReady: true, priority: 0, cause });
  assert.deepEqual([schedule.waiting, schedule.working], [4, 1]);
  assert.deepEqual(schedule.take(5)?.causes, [cause], "c changed");
  assert.equal(take(schedule, 5), "b");
  schedule.done("a");
  assert.equal(take(schedule, 5), "a", "it changed while it was worked on");
  assert.equal(take(schedule, 5), "d", "a later time does not hold it up");
  assert.deepEqual([take(schedule, 100_000), schedule.waiting, schedule.nextReadyMs()], [undefined, 0, undefined]);
});

test("keys of a backlog that wait or are worked on are added as any other, and a second backlog goes on behind the first", () => {
  const schedule = new Schedule<string>();
  const waits = { readyMs: 0, priority: -100 };
  schedule.add("working", { readyMs: 0, priority: 0, cause });
  assert.equal(take(schedule, 0), "working");
  schedule.add("later", { readyMs: 60_000, priority: 0, cause });
  schedule.addBacklog(["a", "working", "later", "b"], waits);
  assert.deepEqual([take(schedule, 0), take(schedule, 0)], ["later", "a"]);
  schedule.addBacklog(["c", "a"], waits);
  for (const key of ["working", "a"]) schedule.done(key);
  assert.deepEqual([take(schedule, 0), take(schedule, 0)], ["working", "a"]);
  assert.deepEqual([take(schedule, 0), take(schedule, 0), take(schedule, 0)], ["b", "c", undefined]);
});

test("R17: a fresh change does not wait for a backoff", () => {
  const schedule = new Schedule<string>();
  schedule.add("a", { readyMs: 60_000, priority: 0, cause });
  assert.equal(take(schedule, 10), undefined);
  schedule.add("a", { readyMs: 10, priority: 0, cause });
  assert.equal(take(schedule, 10), "a");
  schedule.done("a");
  assert.equal(take(schedule, 100_000), undefined);
});

test("R16: in 1 000 000 random steps no key is lost, doubled or worked on twice at once", () => {
  const random = seededRandom(16);
  const schedule = new Schedule<string>();
  const working = new Set<string>();
  const owed = new Set<string>();
  const key = (): string => `k${Math.floor(random.next() * 20)}`;
  for (let nowMs = 0; nowMs < STEPS; nowMs++) {
    const choice = random.next();
    if (choice < 0.4) {
      const added = key();
      const delayMs = random.next() < 0.3 ? Math.floor(random.next() * 50) : 0;
      const priority = random.next() < 0.5 ? 0 : -100;
      schedule.add(added, { readyMs: nowMs + delayMs, isReady: delayMs === 0, priority, cause });
      owed.add(added);
    } else if (choice < 0.41) {
      const keys = [key(), key(), key()];
      schedule.addBacklog(keys, { readyMs: nowMs, priority: -100 });
      for (const added of keys) owed.add(added);
    } else if (choice < 0.7) {
      const taken = schedule.take(nowMs)?.key;
      if (taken === undefined) continue;
      assert.ok(owed.has(taken), `${taken} was handed out but not owed`);
      assert.ok(!working.has(taken), `${taken} was handed out twice at once`);
      owed.delete(taken);
      working.add(taken);
    } else {
      const [done] = working;
      if (done === undefined) continue;
      working.delete(done);
      schedule.done(done);
    }
  }
  for (const done of working) schedule.done(done);
  for (let taken = take(schedule, 2 * STEPS); taken !== undefined; taken = take(schedule, 2 * STEPS))
    owed.delete(taken);
  assert.deepEqual([...owed], []);
});
