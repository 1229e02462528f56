import { describe } from "node:test";
import { testRule } from "../test-rule.ts";
import { evaluation } from "./evaluation.ts";

describe("S13", () =>
  testRule({
    rule: evaluation,
    broken: [
      [
        "eval",
        { "packages/core/src/a.ts": "eval(text);\nconst run = eval;" },
        /a\.ts:1: uses eval/,
        /a\.ts:2: uses eval/,
      ],
      ["eval by a detour", { "packages/cli/src/a.ts": "globalThis.eval(text);" }, /uses eval/],
      [
        "functions made of text",
        { "packages/core/src/a.ts": "new Function(text);\nFunction(text);\n(() => {}).constructor(text);" },
        /a\.ts:1: uses Function/,
        /a\.ts:2: uses Function/,
        /a\.ts:3: uses the constructor of a function/,
      ],
      ["scripts", { "operators/m/src/a.ts": 'import { Script } from "node:vm";' }, /imports node:vm/],
      ["scripts loaded late", { "packages/node/src/a.ts": 'await import("vm");' }, /imports vm/],
      ["text as a callback", { "packages/node/src/a.ts": 'setTimeout("run()", 1);' }, /uses a text as callback/],
      [
        "modules named at run time",
        { "packages/runtime/src/a.ts": `await import(name);\nrequire(name);\nawait import(\`./\${name}.ts\`);` },
        /a\.ts:2: uses require/,
        /a\.ts:1: uses a computed import/,
        /a\.ts:3: uses a computed import/,
      ],
    ],
    kept: [
      [
        "words, members and fixed imports",
        {
          "packages/core/src/a.ts":
            'const a: Function = cel.eval(x); // eval(x)\nconst b = "eval(x)";\nawait import("./b.ts");\ninterface A { eval: string; constructor(): void }\nclass B { constructor() {} }\nawait import(\n  "./c.ts"\n);',
        },
      ],
      [
        "the loaders of projects, tools and tests",
        {
          "packages/cli/src/project/load-config.ts": "await import(url);",
          "tools/a.ts": "await import(path);",
          "packages/core/src/a.test.ts": "eval(text);",
        },
      ],
    ],
  }));
