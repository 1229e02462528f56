/**
 * What thirty definitions cost the compiler, beside the same schemas in zod alone. Counted in type instantiations, which
 * do not depend on the machine; measured at 1.4 times when the budget was set.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const DEFINITIONS = 30;
const RATIO_MAX = 1.8;
const root = resolve(import.meta.dirname, "../../..");

test("thirty definitions stay within the compiler's budget", () => {
  const schemas = countInstantiations(
    (index) => `
    export const Spec${index} = ${specSource(index)};
    export const Status${index} = ${statusSource};
    export interface Kind${index} {
      spec: z.output<typeof Spec${index}>;
      status?: z.output<typeof Status${index}>;
      input: z.input<typeof Spec${index}>;
    }
    export const jobs${index} = (object: Kind${index}): number => object.spec.size + object.spec.jobs.length;`,
  );
  const definitions = countInstantiations(
    (index) => `
    export const Kind${index} = defineResource({
      group: "example.com", version: "v1", kind: "Kind${index}", spec: ${specSource(index)}, status: ${statusSource},
    });
    export type Kind${index} = ObjectOf<typeof Kind${index}>;
    export const jobs${index} = (object: Kind${index}): number => object.spec.size + object.spec.jobs.length;`,
  );
  const ratio = definitions / schemas;
  assert.ok(
    ratio < RATIO_MAX,
    `${definitions} instantiations are ${ratio.toFixed(2)} times the ${schemas} of zod alone`,
  );
});

const statusSource = "z.object({ nodes: z.array(z.string()).optional(), phase: z.string().optional() })";

function specSource(index: number): string {
  return `z.object({
    size: z.int32().min(0).max(100).default(${index}),
    image: z.string().default("image"),
    port: z.int32().min(1).max(65535).optional(),
    environment: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
    target: z.object({ kind: z.enum(["Deployment", "StatefulSet"]), name: z.string().min(1) }),
    jobs: z.array(z.object({ name: z.string(), size: z.int32(), timeZone: z.string().default("UTC") })),
    labels: z.record(z.string(), z.string()).optional(),
  })`;
}

/** How many instantiations the compiler makes for a module of thirty such parts, which must compile. */
function countInstantiations(part: (index: number) => string): number {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "compile-time-"));
  try {
    const imports = `
      import { z } from "zod";
      import { defineResource } from "../../../packages/core/src/schema/index.ts";
      import type { ObjectOf } from "../../../packages/core/src/meta/index.ts";
      export type { ObjectOf, defineResource };`;
    const parts = Array.from({ length: DEFINITIONS }, (_, index) => part(index));
    writeFileSync(join(folder, "kinds.ts"), [imports, ...parts].join("\n"));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(root, "tsconfig.base.json"), files: ["kinds.ts"] }),
    );
    const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--extendedDiagnostics"], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
    return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
