import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigMap } from "@kubewright/api/core/v1";
import { formatKubeconfig } from "@kubewright/core/protocol";
import { systemClock, systemFiles } from "@kubewright/node";
import { createClient, createHttpTransport, findConnection, waitFor } from "@kubewright/runtime";
import { PROGRAM, projectFolder, run } from "../../test/command-line.ts";

/** What processes of `dev` need to be none of the test runner's. */
function nodeEnvironment(): Record<string, string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env as Record<string, string>;
  return env;
}

/** Lines as they are printed; `until` waits for the next one that matches. */
function lineWaiter() {
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: (line: string) => void }[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    for (const each of waiting.splice(0)) {
      if (each.pattern.test(line)) each.resolve(line);
      else waiting.push(each);
    }
  };
  const until = (pattern: RegExp): Promise<string> => new Promise((resolve) => waiting.push({ pattern, resolve }));
  return { lines, onLine, until };
}

test("dev runs the operator on its own cluster, again after each change, and shows what is wrong", {
  timeout: 300_000,
}, async () => {
  await using folder = await projectFolder();
  const env = nodeEnvironment();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const interrupted = new AbortController();
  const { lines, onLine, until } = lineWaiter();
  const runs = until(/● the operator runs \(after \d+ ms\)/);
  const settings = { folder: folder.path, env, signal: interrupted.signal, onLine };
  const ended = run(settings, "dev", "--ephemeral");
  await runs;
  const kubeconfig = join(folder.path, ".kubewright/kubeconfig");
  assert.ok(lines.includes(`export KUBECONFIG=${kubeconfig}`));
  const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
  using transport = createHttpTransport(connection);
  const client = createClient({ transport });
  const hasFoo = (foo: string) => (map: ConfigMap | undefined) => map?.data?.["foo"] === foo;
  await waitFor(client, ConfigMap, "thing-sample", { condition: hasFoo("Hello World") });

  const controller = join(folder.path, "src/controllers/thing.ts");
  const source = await readFile(controller, "utf8");
  const again = until(/● the operator runs again/);
  await writeFile(controller, source.replace("foo: thing.spec.foo", 'foo: "changed"'));
  await again;
  await waitFor(client, ConfigMap, "thing-sample", { condition: hasFoo("changed") });

  const failed = until(/● the operator ended with code 1; waiting for a change/);
  const mistake = until(/type errors:[\s\S]*src\/main\.ts/);
  await writeFile(controller, 'import "./nowhere.ts";\n');
  await Promise.all([failed, mistake]);

  const repaired = until(/● the operator runs again/);
  await writeFile(controller, source);
  await repaired;
  await waitFor(client, ConfigMap, "thing-sample", { condition: hasFoo("Hello World") });
  interrupted.abort();
  assert.equal((await ended).exitCode, 0);
  await assert.rejects(readFile(kubeconfig), { code: "ENOENT" });
});

test("dev that is ended by Ctrl-C says so by its exit code; ended by SIGTERM it is done", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  for (const [signal, expected] of [
    ["SIGINT", 130],
    ["SIGTERM", 0],
  ] as const) {
    const [program = "", main = ""] = PROGRAM;
    const dev = spawn(program, [main, "dev", "--ephemeral"], { cwd: folder.path, stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(dev, "exit");
    await once(dev.stdout, "data"); // The line with KUBECONFIG.
    dev.kill(signal);
    assert.deepEqual(await ended, [expected, null]);
    await assert.rejects(readFile(join(folder.path, ".kubewright/kubeconfig")), { code: "ENOENT" });
  }
});

test("dev -o json tells what happens as an object a line, and has the operator log so, too", {
  timeout: 120_000,
}, async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  await run({ folder: folder.path }, "create", "api", "--group", "g", "--version", "v1", "--kind", "Thing");
  const interrupted = new AbortController();
  const { onLine, until } = lineWaiter();
  const runs = until(/"event":"running"/);
  const settings = { folder: folder.path, env: nodeEnvironment(), signal: interrupted.signal, onLine };
  const ended = run(settings, "dev", "--ephemeral", "-o", "json");
  await runs;
  const failed = until(/"event":"ended"/);
  await writeFile(join(folder.path, "src/controllers/thing.ts"), "");
  await failed;
  interrupted.abort();
  const { exitCode, stdout, stderr } = await ended;
  assert.equal(exitCode, 0);
  const events = stdout.split("\n").map((line) => JSON.parse(line));
  const [cluster, running, changed, last] = events.filter(({ event }) => event !== "type-errors");
  assert.equal(cluster.kubeconfig, join(folder.path, ".kubewright/kubeconfig"));
  assert.deepEqual([running.event, running.start], ["running", 1]);
  assert.deepEqual(changed, { event: "changed", files: ["src/controllers/thing.ts"] });
  assert.deepEqual(last, { event: "ended", exitCode: 1 });
  assert.match(stderr, /^\{.*"all caches are filled".*\}$/m);
});

test("dev refuses a number of nodes that is none", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  const started = new AbortController();
  const onLine = (line: string): void => {
    if (line.includes("embedded cluster")) started.abort();
  };
  const settings = { folder: folder.path, signal: started.signal, onLine };
  const { exitCode, stderr } = await run(settings, "dev", "--ephemeral", "--nodes", "three");
  assert.match(stderr, /--nodes "three" must be a number up to 1000/);
  assert.equal(exitCode, 2);
});

test("dev --cluster ends with what is wrong where there is no cluster", async () => {
  await using folder = await projectFolder();
  await run({ folder: folder.path }, "init", "--project-name", "a");
  const waits = new AbortController();
  const onLine = (line: string): void => {
    if (line.includes("waiting for a change")) waits.abort();
  };
  const settings = { folder: folder.path, env: nodeEnvironment(), signal: waits.signal, onLine };
  const kubeconfig = join(folder.path, "kubeconfig");
  const missing = await run(settings, "dev", "--cluster", "--kubeconfig", kubeconfig);
  assert.equal(missing.exitCode, 1);
  assert.match(
    missing.stderr,
    /^error: the kubeconfig \S+ does not exist.*\n {2}without a cluster, .*: kubewright dev$/,
  );
  await writeFile(
    kubeconfig,
    formatKubeconfig({ name: "silent", server: "https://127.0.0.1:1", certificateAuthority: "" }),
  );
  const silent = await run(settings, "dev", "--cluster", "--kubeconfig", kubeconfig);
  assert.equal(silent.exitCode, 1);
  assert.match(silent.stderr, /^error: the cluster at https:\/\/127\.0\.0\.1:1 does not answer.*\n {2}look at the/);
});

test("dev refuses flags of the cluster that it does not use", async () => {
  const refused = async (...flags: string[]): Promise<string> => {
    const { exitCode, stderr } = await run({ folder: import.meta.dirname }, "dev", ...flags);
    assert.equal(exitCode, 2);
    return stderr;
  };
  assert.match(
    await refused("--context", "staging"),
    /--context is for the cluster of a kubeconfig.*\n {2}add --cluster/,
  );
  assert.match(
    await refused("--allow-exec-credentials"),
    /--allow-exec-credentials is for the cluster of a kubeconfig/,
  );
  assert.match(await refused("--cluster", "--ephemeral"), /--ephemeral is for the embedded cluster/);
  assert.match(await refused("--cluster", "--nodes", "3"), /--nodes is for the embedded cluster/);
});
