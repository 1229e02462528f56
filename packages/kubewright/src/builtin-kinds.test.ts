import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";

test("the facade offers every built-in kind by the same name and value as the api package", async () => {
  const modules = globSync("**/*.ts", { cwd: new URL("generated", import.meta.url) });
  assert.ok(modules.includes("apps/v1.ts"));
  for (const module of modules) {
    const facade = (await import(`./generated/${module}`)) as Record<string, unknown>;
    const api = (await import(`@kubewright/api/${module.replace(/\.ts$/, "")}`)) as Record<string, unknown>;
    assert.deepEqual({ ...facade }, { ...api });
    for (const [name, definition] of Object.entries(api)) assert.equal(facade[name], definition);
  }
});
