import assert from "node:assert/strict";
import { test } from "node:test";
import { onFreePorts } from "./free-ports.ts";

test("no port is given twice", async () => {
  const ports = await onFreePorts(200, async (given) => given);
  assert.equal(new Set(ports).size, 200);
});

test("others are tried when somebody was faster, and not for ever", async () => {
  const tried: (readonly number[])[] = [];
  const taken = new Error("listen tcp 127.0.0.1:1: bind: address already in use");
  const started = await onFreePorts(1, async (ports) => {
    tried.push(ports);
    if (tried.length < 3) throw taken;
    return "started";
  });
  assert.equal(started, "started");
  assert.equal(tried.length, 3);
  await assert.rejects(
    onFreePorts(1, () => Promise.reject(taken)),
    taken,
  );
});

test("whatever else goes wrong is told at once", async () => {
  let starts = 0;
  const broken = new Error("no such file");
  const start = (): Promise<never> => {
    starts += 1;
    return Promise.reject(broken);
  };
  await assert.rejects(onFreePorts(1, start), broken);
  assert.equal(starts, 1);
});
