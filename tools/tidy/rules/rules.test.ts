/** For each rule: samples that break it, with what is found, and samples that keep it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Rule, repositoryOf } from "../repository.ts";
import { arrows } from "./arrows.ts";
import { barrels } from "./barrels.ts";
import { cycles } from "./cycles.ts";
import { dependencies } from "./dependencies.ts";
import { docs } from "./docs.ts";
import { exportsInStep } from "./exports.ts";
import { globals } from "./globals.ts";
import { leftovers } from "./leftovers.ts";
import { names } from "./names.ts";

type Files = Readonly<Record<string, string>>;

interface Samples {
  readonly rule: Rule;
  /** A sentence, the files, and a pattern for each expected "path:line: message". */
  readonly broken: readonly (readonly [sentence: string, files: Files, ...found: RegExp[]])[];
  readonly kept: readonly (readonly [sentence: string, files: Files])[];
}

const CORE = "packages/core/src";
const manifests = (...workspaces: string[]): Files =>
  Object.fromEntries(workspaces.map((workspace) => [`${workspace}/package.json`, "{}"]));

const SAMPLES: readonly Samples[] = [
  {
    rule: arrows,
    broken: [
      [
        "a package imports one above it",
        { ...manifests("packages/core"), [`${CORE}/meta/a.ts`]: '\nimport { x } from "@kubewright/runtime";' },
        /core\/src\/meta\/a\.ts:2: core must not import runtime/,
      ],
      [
        "runtime imports apiserver, by type only",
        {
          ...manifests("packages/runtime"),
          "packages/runtime/src/a.ts": 'import type { A } from "@kubewright/apiserver";',
        },
        /runtime must not import apiserver/,
      ],
      [
        "a lower folder of core imports a higher one",
        { ...manifests("packages/core"), [`${CORE}/meta/a.ts`]: 'import { b } from "../schema/b.ts";' },
        /meta must not import schema/,
      ],
      [
        "a package imports itself by name",
        { ...manifests("packages/core"), [`${CORE}/schema/a.ts`]: 'import { b } from "@kubewright/core/meta";' },
        /relative path/,
      ],
      [
        "an operator reaches into a package",
        {
          ...manifests("operators/m"),
          "operators/m/src/a.ts": 'import { b } from "../../../packages/core/src/meta/b.ts";',
        },
        /public entry point/,
      ],
      [
        "a document's example reaches into a package",
        { "docs/a.ts": 'import { b } from "../packages/core/src/meta/b.ts";' },
        /public entry point/,
      ],
      [
        "a dynamic import goes up",
        { ...manifests("packages/node"), "packages/node/src/a.ts": 'await import("@kubewright/cli");' },
        /node must not import cli/,
      ],
      ["a package is not in the table", manifests("packages/surprise"), /layers\.ts/],
    ],
    kept: [
      [
        "imports go down",
        {
          ...manifests("packages/core", "packages/cluster", "operators/m"),
          [`${CORE}/schema/a.ts`]: 'import { b } from "../meta/b.ts";',
          "packages/cluster/src/a.ts": 'import { b } from "@kubewright/apiserver"; import { c } from "zod";',
          "operators/m/a.ts": 'import { b } from "kubewright/apps/v1";',
          "tools/generate/a.ts": 'import { b } from "../../packages/api/src/b.ts";',
        },
      ],
      [
        "an import is only spoken of",
        {
          ...manifests("packages/core"),
          [`${CORE}/meta/a.ts`]: '// import { x } from "@kubewright/cli";\nf(`import x from "kubewright"`);',
        },
      ],
    ],
  },
  {
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
  },
  {
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
      [
        "a list hides the export of a declaration",
        { "tools/a.ts": "const c = 1;\nexport { c };" },
        /at its declaration/,
      ],
    ],
    kept: [
      [
        "entries re-export by name",
        {
          "packages/runtime/src/index.ts": 'export { a, type B } from "./a.ts";',
          [`${CORE}/meta/index.ts`]: 'export {\n  a,\n} from "./a.ts";',
          "packages/kubewright/src/apps/v1.ts": 'export { Deployment } from "@kubewright/api/apps/v1";',
          "tools/a.ts": "export const a = 1;\nexport {};",
        },
      ],
    ],
  },
  {
    rule: globals,
    broken: [
      [
        "time",
        { "packages/runtime/src/a.ts": "const a = Date.now();\nconst b = new Date();" },
        /a\.ts:1: uses the current time.*clock\.now/,
        /a\.ts:2: uses/,
      ],
      [
        "timers",
        { "packages/runtime/src/a.ts": "setTimeout(f, 1);\nAbortSignal.timeout(5);" },
        /a\.ts:1: uses a timer/,
        /a\.ts:2: uses a timer/,
      ],
      [
        "timers of node:timers in a test",
        { "packages/runtime/src/a.test.ts": 'import { setTimeout } from "node:timers/promises";' },
        /uses a timer/,
        /uses a timer/,
      ],
      [
        "randomness",
        { "packages/core/src/meta/a.ts": "f(Math.random(), crypto.randomUUID());" },
        /randomness.*Math\.random/,
        /randomness.*randomUUID/,
      ],
      [
        "randomness of node:crypto",
        { "packages/runtime/src/a.ts": 'import { randomBytes } from "node:crypto";' },
        /take a Random/,
      ],
      ["the network", { "packages/runtime/src/a.ts": "await fetch(url);" }, /take a Transport/],
      [
        "sockets outside a transport",
        { "packages/runtime/src/client/a.ts": 'import http2 from "node:http2";' },
        /only transport and server files/,
      ],
      [
        "process and console",
        { "packages/runtime/src/a.ts": "console.log(process.env);" },
        /uses process/,
        /uses the console/,
      ],
      [
        "the file system",
        { "packages/runtime/src/a.ts": 'import { readFile } from "node:fs/promises";' },
        /take Files/,
      ],
      ["performance", { "packages/apiserver/src/a.ts": "performance.now();" }, /clock\.monotonic/],
      ["globalThis", { "packages/runtime/src/a.ts": "globalThis.x;" }, /nothing here is global/],
      [
        "Node.js in core",
        { [`${CORE}/meta/a.ts`]: 'import { format } from "node:util";' },
        /core must not import node:util/,
      ],
      ["time in an operator", { "operators/m/src/a.ts": "const a = Date.now();" }, /current time/],
    ],
    kept: [
      [
        "the ports' implementations and programs",
        {
          "packages/node/src/clock.ts": "Date.now(); setTimeout(f, 1);",
          "packages/cli/src/a.ts": "console.log(process.argv);",
          "tools/a.ts": "performance.now(); console.log(new Date());",
          "packages/runtime/src/client/http-transport.ts": 'import http2 from "node:http2";',
          "packages/apiserver/src/server/listen.ts": 'import { createServer } from "node:http2";',
        },
      ],
      [
        "other things of the same name",
        {
          [`${CORE}/meta/a.ts`]:
            'import { createHash } from "node:crypto";\nnew Date(ms); Date.parse(text); clock.setTimeout(f); interface A { process: string; fetch(key: string): void }\n// Date.now()\nconst text = "process.env";',
        },
      ],
    ],
  },
  {
    rule: dependencies,
    broken: [
      [
        "a dependency without a reason",
        { "package.json": '{\n"devDependencies": { "left-pad": "1.0.0" } }' },
        /^package\.json:2: left-pad has no reason/,
      ],
      [
        "a reason without a dependency",
        { "package.json": "{}", "docs/dependencies.md": "| `left-pad` | Pads. |" },
        /dependencies\.md:1: nothing depends on left-pad/,
      ],
      [
        "a range",
        { "package.json": '{"dependencies": { "zod": "^4.0.0" } }', "docs/dependencies.md": "| `zod` | Schemas. |" },
        /exact version/,
      ],
      [
        "a sibling at another version",
        {
          "package.json": '{"version": "2.0.0"}',
          "packages/api/package.json": '{"dependencies": { "@kubewright/core": "1.0.0" } }',
        },
        /api\/package\.json:1: @kubewright\/core is wanted at 1\.0\.0; .* write 2\.0\.0/,
      ],
      [
        "an import that the manifest does not list",
        { ...manifests("packages/core"), [`${CORE}/schema/a.ts`]: 'import { z } from "zod/mini";' },
        /imports zod, which packages\/core\/package\.json does not list/,
      ],
    ],
    kept: [
      [
        "exact versions with reasons, and ranges for peers",
        {
          "package.json": '{"version": "2.0.0", "devDependencies": { "zod": "4.0.0" } }',
          "packages/core/package.json": '{"name": "@kubewright/core", "peerDependencies": { "zod": "^4.0.0" } }',
          "packages/api/package.json": '{"dependencies": { "@kubewright/core": "2.0.0" } }',
          "docs/dependencies.md": "| `zod` | Schemas. |",
          "packages/core/src/schema/a.ts": 'import { z } from "zod"; import fs from "node:fs";',
          "packages/api/src/a.test.ts": 'import { z } from "zod"; import { a } from "@kubewright/core/meta";',
          "tools/a.ts": 'import { a } from "@kubewright/core/meta";',
        },
      ],
    ],
  },
  {
    rule: exportsInStep,
    broken: [
      [
        "a list that does not have a new name",
        {
          "packages/node/package.json": '{ "name": "@kubewright/node", "exports": { ".": "./src/index.ts" } }',
          "packages/node/exports.txt": "@kubewright/node\n  a\n",
          "packages/node/src/index.ts": 'export { a, type B } from "./a.ts";',
        },
        /node\/exports\.txt:1: .*added: type B; removed: nothing.*npm run exports/,
      ],
      [
        "a facade that lacks a name of the runtime",
        {
          "packages/runtime/src/index.ts": 'export { createClient } from "./client.ts";',
          "packages/kubewright/src/index.ts": 'export { a } from "@kubewright/runtime";',
        },
        /kubewright\/src\/index\.ts:1: lacks createClient of packages\/runtime/,
      ],
    ],
    kept: [
      [
        "lists in step, generated entries left out",
        {
          "packages/node/package.json":
            '{ "name": "@kubewright/node", "exports": { ".": "./src/index.ts", "./*": "./src/generated/*.ts" } }',
          "packages/node/exports.txt": "@kubewright/node\n  type B\n  a\n",
          "packages/node/src/index.ts": 'export { type B, a } from "./a.ts";',
          "packages/node/src/generated/c.ts": "export const c = 1;",
        },
      ],
    ],
  },
  {
    rule: docs,
    broken: [
      [
        "an export without a comment",
        { [`${CORE}/meta/a.ts`]: "/** Header. */\n\nexport const a = 1;" },
        /a\.ts:3: export a has no doc comment/,
      ],
      [
        "a plain comment is no doc comment",
        { [`${CORE}/meta/a.ts`]: "/** Header. */\n\n// What a is.\nexport interface A {}" },
        /export A has no doc comment/,
      ],
      ["a file without a header", { "tools/a.ts": "const a = 1;" }, /a\.ts:1: has no header/],
    ],
    kept: [
      [
        "every export is documented once, overloads included",
        {
          [`${CORE}/meta/a.ts`]:
            "/** Header. */\n/** A. */\nexport function a(x: 1): 1;\nexport function a(x: 2): 2;\n/** B. */\n// biome-ignore lint/x: reason\nexport type B = 1;",
        },
      ],
      [
        "generated files and empty entries",
        {
          "packages/api/src/apps/v1.ts": "// Generated by tools/generate-api.\nexport const a = 1;",
          "packages/api/src/index.ts": "export {};",
        },
      ],
    ],
  },
  {
    rule: names,
    broken: [
      ["a catch-all file", { "packages/runtime/src/utils.ts": "" }, /"utils\.ts" says nothing/],
      ["a catch-all folder", { "packages/runtime/src/helpers/a.ts": "" }, /"helpers" says nothing/],
    ],
    kept: [
      ["a word of the system", { "packages/runtime/src/work-queue.ts": "", "packages/core/src/meta/type-meta.ts": "" }],
    ],
  },
  {
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
  },
];

for (const { rule, broken, kept } of SAMPLES) {
  describe(`rule "${rule.name}"`, () => {
    for (const [sentence, files, ...expected] of broken) {
      test(`finds: ${sentence}`, () => {
        const lines = findings(rule, files);
        assert.equal(lines.length, expected.length, lines.join("\n"));
        for (const [index, pattern] of expected.entries()) assert.match(lines[index] ?? "", pattern);
      });
    }
    for (const [sentence, files] of kept) {
      test(`accepts: ${sentence}`, () => assert.deepEqual(findings(rule, files), []));
    }
  });
}

function findings(rule: Rule, files: Files): readonly string[] {
  const repository = repositoryOf(new Map(Object.entries(files)));
  return Array.from(rule.check(repository), ({ path, line, message }) => `${path}:${line}: ${message}`);
}
