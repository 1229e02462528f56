import { manifests, testRule } from "../test-rule.ts";
import { dependencies } from "./dependencies.ts";

testRule({
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
      { ...manifests("packages/core"), [`packages/core/src/schema/a.ts`]: 'import { z } from "zod/mini";' },
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
});
