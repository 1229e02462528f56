import { testRule } from "../test-rule.ts";
import { barrels } from "./barrels.ts";

testRule({
  rule: barrels,
  broken: [
    [
      "a file re-exports",
      { "packages/runtime/src/cache/a.ts": 'export { b } from "./b.ts";' },
      /only an entry index\.ts/,
    ],
    [
      "an inner index.ts re-exports",
      { "packages/runtime/src/cache/index.ts": 'export type { B } from "./b.ts";' },
      /index\.ts:1: re-exports/,
    ],
    ["an entry exports everything", { "packages/runtime/src/index.ts": 'export * from "./b.ts";' }, /name by name/],
    [
      "an import is exported again",
      { "tools/a.ts": 'import { b as c } from "./b.ts";\nexport { c };' },
      /a\.ts:2: exports c in a list/,
    ],
    ["a list hides the export of a declaration", { "tools/a.ts": "const c = 1;\nexport { c };" }, /at its declaration/],
  ],
  kept: [
    [
      "entries re-export by name",
      {
        "packages/runtime/src/index.ts": 'export { a, type B } from "./a.ts";',
        [`packages/core/src/meta/index.ts`]: 'export {\n  a,\n} from "./a.ts";',
        "packages/kubewright/src/apps/v1.ts": 'export { Deployment } from "@kubewright/api/apps/v1";',
        "tools/a.ts": "export const a = 1;\nexport {};",
      },
    ],
  ],
});
