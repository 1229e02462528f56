import assert from "node:assert/strict";
import { test } from "node:test";
import { publishedManifest, type SourceManifest } from "./manifest.ts";

const SOURCE: SourceManifest = {
  name: "@kubewright/sample",
  version: "1.2.3",
  description: "A sample",
  license: "Apache-2.0",
  type: "module",
  bin: { sample: "./src/main.ts" },
  exports: { ".": "./src/index.ts", "./*": "./src/generated/*.ts" },
  dependencies: { "@kubewright/core": "1.2.3" },
  optionalDependencies: {},
  peerDependencies: { zod: "^4.0.0" },
  peerDependenciesMeta: { zod: { optional: true } },
};

test("entry points and commands lead to what was built, types first", () => {
  assert.deepEqual(publishedManifest(SOURCE), {
    name: "@kubewright/sample",
    version: "1.2.3",
    description: "A sample",
    license: "Apache-2.0",
    type: "module",
    engines: { node: ">=24" },
    sideEffects: false,
    files: ["dist"],
    bin: { sample: "./dist/main.js" },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./*": { types: "./dist/generated/*.d.ts", default: "./dist/generated/*.js" },
      "./package.json": "./package.json",
    },
    dependencies: { "@kubewright/core": "1.2.3" },
    peerDependencies: { zod: "^4.0.0" },
    peerDependenciesMeta: { zod: { optional: true } },
    publishConfig: { access: "public" },
  });
});

test("an entry point outside src is refused", () => {
  assert.throws(() => publishedManifest({ ...SOURCE, exports: { ".": "./index.js" } }), /must be \.\/src\//);
});
