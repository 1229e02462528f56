import { manifests, testRule } from "../test-rule.ts";
import { arrows } from "./arrows.ts";

testRule({
  rule: arrows,
  broken: [
    [
      "a package imports one above it",
      { ...manifests("packages/core"), [`packages/core/src/meta/a.ts`]: '\nimport { x } from "@kubewright/runtime";' },
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
      { ...manifests("packages/core"), [`packages/core/src/meta/a.ts`]: 'import { b } from "../schema/b.ts";' },
      /meta must not import schema/,
    ],
    [
      "a package imports itself by name",
      {
        ...manifests("packages/core"),
        [`packages/core/src/schema/a.ts`]: 'import { b } from "@kubewright/core/meta";',
      },
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
        [`packages/core/src/schema/a.ts`]: 'import { b } from "../meta/b.ts";',
        "packages/cluster/src/a.ts": 'import { b } from "@kubewright/apiserver"; import { c } from "zod";',
        "operators/m/a.ts": 'import { b } from "kubewright/apps/v1";',
        "tools/generate/a.ts": 'import { b } from "../../packages/api/src/b.ts";',
      },
    ],
    [
      "an import is only spoken of",
      {
        ...manifests("packages/core"),
        [`packages/core/src/meta/a.ts`]: '// import { x } from "@kubewright/cli";\nf(`import x from "kubewright"`);',
      },
    ],
  ],
});
