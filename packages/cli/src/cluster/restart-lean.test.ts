import assert from "node:assert/strict";
import { test } from "node:test";
import { leanCommandLine, restartLean, type Startable } from "./restart-lean.ts";

const cluster: Startable = {
  execPath: "/bin/node",
  execArgv: ["--enable-source-maps"],
  argv: ["/bin/node", "/app/main.js", "cluster", "up"],
  env: { HOME: "/home", NONE: undefined },
};
const lean = [
  "/bin/node",
  "--max-semi-space-size=4",
  "--heap-growing-percent=40",
  "--enable-source-maps",
  "/app/main.js",
  "cluster",
  "up",
];

test("a cluster starts with a small heap, unless somebody chose another", () => {
  assert.deepEqual(leanCommandLine(cluster), lean);
  assert.equal(leanCommandLine({ ...cluster, execArgv: lean.slice(1, 3) }), undefined);
  assert.equal(leanCommandLine({ ...cluster, env: { NODE_OPTIONS: "--max-semi-space-size=64" } }), undefined);
});

test("the process goes on as it is where it cannot be started anew in its place", () => {
  restartLean(cluster);
  const calls: unknown[] = [];
  const execve = (...args: readonly unknown[]): never => {
    calls.push(args);
    return undefined as never;
  };
  restartLean({ ...cluster, execve });
  assert.deepEqual(calls, [["/bin/node", lean, { HOME: "/home" }]]);
});
