import assert from "node:assert/strict";
import { test } from "node:test";
import { combined } from "./combined.ts";

test("what is combined is the same until a source gives something else", () => {
  let right = "b";
  const both = combined([() => "a", () => right], ([first, second]) => ({ text: first + second }));
  const before = both();
  assert.deepEqual(before, { text: "ab" });
  assert.equal(both(), before);
  right = "c";
  assert.deepEqual(both(), { text: "ac" });
});

test("what is yet to come is waited for", async () => {
  const sources = [() => "a", () => Promise.resolve("b")] as const;
  assert.equal(await combined<[string, string], string>(sources, ([first, second]) => first + second)(), "ab");
});
