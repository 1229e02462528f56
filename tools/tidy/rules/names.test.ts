import { testRule } from "../test-rule.ts";
import { names } from "./names.ts";

testRule({
  rule: names,
  broken: [
    ["a catch-all file", { "packages/runtime/src/utils.ts": "" }, /"utils\.ts" says nothing/],
    ["a catch-all folder", { "packages/runtime/src/helpers/a.ts": "" }, /"helpers" says nothing/],
  ],
  kept: [
    ["a word of the system", { "packages/runtime/src/work-queue.ts": "", "packages/core/src/meta/type-meta.ts": "" }],
  ],
});
