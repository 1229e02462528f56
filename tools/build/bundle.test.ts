import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundlePackage } from "./bundle.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })));

/** A package whose dist/ has these modules. */
function packageOf(modules: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-bundle-"));
  folders.push(folder);
  mkdirSync(join(folder, "dist"));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, "dist", name), text);
  return folder;
}

test("two entry points share one copy of a class, so that what one makes the other knows", async () => {
  const folder = packageOf({
    "shared.js": "export class Failure {}",
    "a.js": 'import { Failure } from "./shared.js"; export const failure = new Failure();',
    "b.js": 'import { Failure } from "./shared.js"; export const isFailure = (value) => value instanceof Failure;',
  });
  bundlePackage({ folder, entries: ["dist/a.js", "dist/b.js"] });
  const { failure } = await import(join(folder, "dist/a.js"));
  const { isFailure } = await import(join(folder, "dist/b.js"));
  assert.equal(isFailure(failure), true);
  assert.deepEqual(globSync("dist/*.js", { cwd: folder }).sort(), ["dist/a.js", "dist/b.js"]);
});

test("a module that needs its own place is refused unless it is an entry point", () => {
  const modules = { "a.js": 'export { place } from "./b.js";', "b.js": "export const place = import.meta.url;" };
  assert.throws(
    () => bundlePackage({ folder: packageOf(modules), entries: ["dist/a.js"] }),
    /dist\/b\.js.*only an entry point may use import\.meta/,
  );
  bundlePackage({ folder: packageOf(modules), entries: ["dist/a.js", "dist/b.js"] });
});
