import { testRule } from "../test-rule.ts";
import { cycles } from "./cycles.ts";

testRule({
  rule: cycles,
  broken: [
    [
      "two files import each other",
      { "tools/a.ts": 'import "./b.ts";', "tools/b.ts": '\nimport type { A } from "./a.ts";' },
      /tools\/b\.ts:2: import cycle tools\/a\.ts → tools\/b\.ts → tools\/a\.ts/,
    ],
    ["a file imports itself", { "tools/a.ts": 'import "./a.ts";' }, /import cycle tools\/a\.ts → tools\/a\.ts/],
    [
      "two folders import each other through different files",
      {
        "packages/runtime/src/cache/a.ts": 'import "../queue/a.ts";',
        "packages/runtime/src/queue/a.ts": "",
        "packages/runtime/src/queue/b.ts": 'import "../cache/b.ts";',
        "packages/runtime/src/cache/b.ts": "",
      },
      /import cycle packages\/runtime\/src\/cache → packages\/runtime\/src\/queue → .*one way/,
    ],
  ],
  kept: [
    [
      "a diamond",
      {
        "tools/a.ts": 'import "./b.ts"; import "./c.ts";',
        "tools/b.ts": 'import "./d.ts";',
        "tools/c.ts": 'import "./d.ts";',
        "tools/d.ts": "",
      },
    ],
  ],
});
