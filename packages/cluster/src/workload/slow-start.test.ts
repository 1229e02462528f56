import assert from "node:assert/strict";
import { test } from "node:test";
import { slowStart } from "./slow-start.ts";

test("one comes first, then twice as many each time, and all in the end", async () => {
  const batches: number[] = [];
  let running = 0;
  await slowStart(10, async () => {
    running += 1;
    await Promise.resolve();
    if (running > 0) batches.push(running);
    running = 0;
  });
  assert.deepEqual(batches, [1, 2, 4, 3]);
});

test("a failure ends it after its batch", async () => {
  let calls = 0;
  const failing = slowStart(100, async () => {
    calls += 1;
    if (calls === 3) throw new Error("exceeded quota");
  });
  await assert.rejects(failing, /exceeded quota/);
  assert.equal(calls, 3);
});
