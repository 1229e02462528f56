import assert from "node:assert/strict";
import { test } from "node:test";
import { type Limits, lowerLimit, rulesOf, type ScalingMemory, stabilize, upperLimit } from "./behavior.ts";

const now = Date.UTC(2026, 0, 1);
const empty: ScalingMemory = { recommendations: [], added: [], removed: [] };

function limits(behavior: Parameters<typeof rulesOf>[0] = {}, memory: Partial<ScalingMemory> = {}): Limits {
  return { rules: rulesOf(behavior), memory: { ...empty, ...memory }, now };
}

test("by default a target at most doubles, or grows by four, in fifteen seconds", () => {
  assert.equal(upperLimit(1, limits()), 5);
  assert.equal(upperLimit(10, limits()), 20);
  assert.equal(upperLimit(10, limits({}, { added: [{ at: now - 10_000, replicas: 6 }] })), 10);
  assert.equal(upperLimit(10, limits({}, { added: [{ at: now - 16_000, replicas: 6 }] })), 20);
});

test("policies limit each direction, by pods or percent, and may be off", () => {
  const policies = [
    { type: "Pods", value: 2, periodSeconds: 60 },
    { type: "Percent", value: 50, periodSeconds: 60 },
  ];
  assert.equal(lowerLimit(10, limits({ scaleDown: { policies } })), 5);
  assert.equal(lowerLimit(10, limits({ scaleDown: { policies, selectPolicy: "Min" } })), 8);
  assert.equal(upperLimit(10, limits({ scaleUp: { policies, selectPolicy: "Disabled" } })), 10);
});

test("a lower recommendation waits for five minutes, a higher one for nothing", () => {
  const memory = (ageMs: number) => limits({}, { recommendations: [{ at: now - ageMs, replicas: 8 }] });
  assert.equal(stabilize(2, 8, memory(299_000)), 8);
  assert.equal(stabilize(2, 8, memory(301_000)), 2);
  assert.equal(stabilize(9, 8, memory(1_000)), 9);
  const slow = limits(
    { scaleUp: { stabilizationWindowSeconds: 60 } },
    { recommendations: [{ at: now - 1_000, replicas: 8 }] },
  );
  assert.equal(stabilize(9, 8, slow), 8);
});
