/**
 * walkthrough.md, followed step by step in an empty folder. The packages are built and packed as they are published and
 * unpacked into the project; only packages of others are taken from this repository.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { buildPackages } from "../tools/build/build.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MINUTES_5 = { timeout: 300_000 };
/** What a user waits for the first reconcile, from `init` on, tests and type checks included; installing packages is not. */
const FIRST_RECONCILE_MS_MAX = 60_000;
const folder = mkdtempSync(join(tmpdir(), "kubewright-walkthrough-"));
const project = join(folder, "memcached-operator");
const kubewright = join(project, "node_modules/@kubewright/cli/dist/main.js");
const running = new Set<ChildProcess>();

before(() => {
  mkdirSync(join(project, "node_modules/@kubewright"), { recursive: true });
  const packages = buildPackages(join(folder, "packages")).map(({ target }) => target);
  const packed = execute(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...packages],
    folder,
  );
  for (const { name, filename } of JSON.parse(packed) as readonly { name: string; filename: string }[]) {
    const place = join(project, "node_modules", name);
    mkdirSync(place, { recursive: true });
    execute("tar", ["xzf", join(folder, filename), "--strip-components=1", "-C", place], folder);
  }
  linkForeignPackages();
  chmodSync(kubewright, 0o755);
});

after(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** When `init` began, in milliseconds. */
let begunMs = 0;

test("init and create api make a project whose tests pass", MINUTES_5, () => {
  begunMs = performance.now();
  createProject();
  command("create", "api", "--group", "cache", "--version", "v1alpha1", "--kind", "Memcached");
  assert.match(execute(process.execPath, ["--test", "src/**/*.test.ts"], project), /pass 1\b/);
});

test("the changes of the walk-through keep the tests and the types right", MINUTES_5, () => {
  for (const [path, text] of documentFiles()) writeFileSync(join(project, path), text);
  assert.match(execute(process.execPath, ["--test", "src/**/*.test.ts"], project), /pass 1\b/);
  assert.equal(execute(join(ROOT, "node_modules/.bin/tsc"), ["-p", "."], project), "");
});

test("dev says what the sample asks for, and again when it changes", MINUTES_5, async (context) => {
  const devMs = performance.now();
  const dev = start("dev", "--ephemeral");
  await dev.says(/Foo = Hello World, Size = 10/);
  const firstMs = performance.now();
  context.diagnostic(
    `first reconcile ${Math.round(firstMs - devMs)} ms after dev, ${Math.round(firstMs - begunMs)} ms after init`,
  );
  assert.ok(firstMs - begunMs < FIRST_RECONCILE_MS_MAX);
  assert.match(command("why", "memcached/memcached-sample"), /Memcached default\/memcached-sample: done/);
  const sample = join(project, "config/samples/cache_v1alpha1_memcached.yaml");
  const text = readFileSync(sample, "utf8");
  const again = dev.says(/Foo = Hello World, Size = 9/);
  writeFileSync(sample, text.replace("size: 10", "size: 9"));
  await again;
  context.diagnostic(`${await dev.says(/the operator runs again \(after \d+ ms\)/)}`);
  writeFileSync(sample, text);
  assert.equal(await dev.stop(), 0);
});

test("manifests, install, run, image build, deploy and undeploy work on a cluster", MINUTES_5, async () => {
  assert.match(command("manifests"), /create {2}config\/crd\/bases\/cache\.example\.com_memcacheds\.yaml/);
  const cluster = start("cluster", "up", "--folder", "cluster");
  await cluster.says(/export KUBECONFIG=/);
  const at = ["--kubeconfig", join(project, "cluster/kubeconfig")];
  assert.match(command("install", ...at), /memcacheds\.cache\.example\.com created/);
  const operator = start("run", "--samples", ...at);
  await operator.says(/Foo = Hello World, Size = 10/);
  assert.equal(await operator.stop(), 0);
  assert.match(command("image", "bundle"), /wrote dist\/main\.js/);
  const bundled = spawnSync(process.execPath, ["dist/main.js", "--nonsense"], { cwd: project, encoding: "utf8" });
  assert.match(bundled.stderr, /unknown argument "--nonsense"/);
  assert.match(command("deploy", "--image", "example.com/m:v1", ...at), /the operator runs: example\.com\/m:v1/);
  command("undeploy", "--force", ...at);
  assert.match(command("uninstall", ...at), /nothing is installed/);
  assert.equal(await cluster.stop(), 0);
});

/** The files that walkthrough.md shows: blocks with "file=". */
function documentFiles(): readonly (readonly [path: string, text: string])[] {
  const text = readFileSync(join(import.meta.dirname, "walkthrough.md"), "utf8");
  const found = [...text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)];
  assert.equal(found.length, 4);
  return found.map(([, path = "", content = ""]) => [path, content]);
}

/** The first command of walkthrough.md: where nothing is installed, npm finds a program only by the name of its package. */
function createProject(): void {
  const text = readFileSync(join(import.meta.dirname, "walkthrough.md"), "utf8");
  const [, args = ""] = /^```sh\nnpm create kubewright@latest (.*)$/m.exec(text) ?? assert.fail("no npm create");
  const place = join(project, "node_modules/create-kubewright");
  const { bin } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  execute(process.execPath, [join(place, bin["create-kubewright"]), ...args.replace("-- ", "").split(" ")], folder);
}

function command(...args: readonly string[]): string {
  return execute(process.execPath, [kubewright, ...args], project);
}

/** Runs a program to its end; what it prints is kept. */
function execute(program: string, args: readonly string[], cwd: string): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Starts a command that stays. */
function start(...args: readonly string[]): { says(pattern: RegExp): Promise<string>; stop(): Promise<number> } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [kubewright, ...args], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: string[] = [];
  const waiting = new Map<RegExp, (line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const [pattern, resolve] of waiting) if (pattern.test(line)) resolve(line);
    });
  }
  const ended = once(child, "close");
  return {
    says(pattern) {
      const before = lines.find((line) => pattern.test(line));
      if (before !== undefined) return Promise.resolve(before);
      const said = new Promise<string>((resolve) => waiting.set(pattern, resolve));
      const early = ended.then(() => assert.fail(`kubewright ${args.join(" ")} ended:\n${lines.join("\n")}`));
      return Promise.race([said, early]);
    },
    async stop() {
      child.kill("SIGTERM");
      const [code] = await ended;
      running.delete(child);
      return code;
    },
  };
}

/** Every package of others that this repository has. */
function linkForeignPackages(): void {
  const names = readdirSync(join(ROOT, "node_modules")).filter(
    (name) => !/^(?:\.|kubewright$|create-kubewright$|@kubewright$)/.test(name),
  );
  for (const name of names) {
    const place = join(project, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), place);
  }
}
