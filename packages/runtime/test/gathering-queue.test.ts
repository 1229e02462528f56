import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@kubewright/core/ports";
import { WorkQueue } from "@kubewright/runtime";
import { VirtualClock } from "@kubewright/testing";

test("a queue with many keys lets what arrives have a turn now and again, and loses none", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: seededRandom(1) });
  const taken: string[] = [];
  const worker = (async () => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      taken.push(item.key);
      queue.done(item.key);
    }
  })();
  for (let count = 0; count < 1000; count++) queue.add(`k${count}`);
  await clock.settle();
  assert.equal(taken.length, 128);
  queue.add("urgent", { priority: 1 });
  await clock.advance(0);
  assert.equal(taken[128], "urgent");
  assert.deepEqual(new Set(taken).size, 1001);
  queue.close();
  await worker;
  assert.equal(clock.pending, 0);
});

test("a queue that gathers hands out a key once for all that comes before time passes", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: seededRandom(1), gathers: true });
  const taken: string[] = [];
  const worker = (async () => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      taken.push(item.key);
      queue.done(item.key);
    }
  })();
  queue.add("a");
  await clock.settle();
  queue.add("a");
  queue.add("b");
  assert.deepEqual(taken, []);
  assert.equal(queue.idle, false);
  await clock.advance(0);
  assert.deepEqual(taken, ["a", "b"]);
  queue.close();
  await worker;
  assert.equal(clock.pending, 0);
});

test("a queue that gathers waits for a key of later with one timer, and for nothing else", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: seededRandom(1), gathers: true });
  const item = queue.take();
  queue.add("a", { delayMs: 1000 });
  assert.equal(clock.pending, 1);
  await clock.advance(1000);
  assert.equal((await item)?.key, "a");
  assert.equal(clock.pending, 0);
});
