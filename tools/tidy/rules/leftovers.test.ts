import { testRule } from "../test-rule.ts";
import { leftovers } from "./leftovers.ts";

testRule({
  rule: leftovers,
  broken: [
    [
      "a skipped test",
      { "tools/a.test.ts": 'test.skip("a", f);\ntest("b", { only: true }, f);' },
      /:1: has a test marked "skip"/,
      /:2: has a test marked "only"/,
    ],
    ["a note without an issue", { "tools/a.ts": "f(); // TODO: later" }, /TODO without an issue/],
  ],
  kept: [["a note with its issue, and data", { "tools/a.ts": '// TODO(#12): later\nf("TODO"); context.skip;' }]],
});
