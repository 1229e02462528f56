import assert from "node:assert/strict";
import { test } from "node:test";
import { selectControllers } from "./controller-selection.ts";

const names = ["deployment", "endpoints", "endpoints/cleaner", "load-balancer"];

function selected(...selection: string[]): readonly string[] {
  return names.filter(selectControllers(selection, names, ["load-balancer"]));
}

test("a star is all that are on by default; names add and take away", () => {
  assert.deepEqual(selected("*"), ["deployment", "endpoints", "endpoints/cleaner"]);
  assert.deepEqual(selected("*", "load-balancer", "-deployment"), ["endpoints", "endpoints/cleaner", "load-balancer"]);
  assert.deepEqual(selected("deployment"), ["deployment"]);
  assert.deepEqual(selected(), []);
});

test("controllers that work together are turned off together", () => {
  assert.deepEqual(selected("*", "-endpoints"), ["deployment"]);
});

test("a name that no controller has is a mistake", () => {
  assert.throws(
    () => selected("*", "-deploiment"),
    /no controller "-deploiment"; known are deployment, endpoints, load/,
  );
});
