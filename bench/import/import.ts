/**
 * What importing the SDK costs an operator at its start: time and memory of `import "kubewright"` as it is published, beside
 * the official client. Each measurement is a process of its own; memory is what the import adds to bare Node.js.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Benchmark, Sample, Variant } from "../benchmark.ts";
import { linkBuiltPackages } from "../built-packages.ts";

const CACHE = resolve(import.meta.dirname, "../.cache/import");
const PEER = "@kubernetes/client-node";
const PEER_VERSION = "2.0.1";
const MEGABYTE = 2 ** 20;

/** Imports what the environment names and prints how long that took and how much memory the process then has. */
const PROBE = `
const started = performance.now();
if (process.env.SPECIFIER) await import(process.env.SPECIFIER);
const timeMs = performance.now() - started;
gc();
console.log(JSON.stringify({ timeMs, rssBytes: process.memoryUsage.rss() }));
`;

/** The import benchmark. */
export const importBenchmark: Benchmark = {
  name: "import",
  description: "importing the SDK, time and memory added to bare Node.js",
  rounds: 9,
  units: { time: "ms", memory: "MB" },
  variants: [
    variant("kubewright/apps/v1", "kubewright/apps/v1"),
    variant("kubewright", "kubewright"),
    variant(`${PEER} ${PEER_VERSION}`, PEER),
  ],
  promises: [
    { metric: "time", ours: "kubewright", peer: `${PEER} ${PEER_VERSION}`, below: 1 / 5 },
    { metric: "memory", ours: "kubewright", peer: `${PEER} ${PEER_VERSION}`, below: 1 / 3 },
  ],
  prepare() {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(join(CACHE, "probe.mjs"), PROBE);
    installPeer();
    linkBuiltPackages(CACHE);
  },
};

/** The memory of a bare process is measured right before, so that both see the same machine. */
function variant(name: string, specifier: string): Variant {
  return {
    name,
    measure(): Sample {
      const bare = probe("");
      const { timeMs, rssBytes } = probe(specifier);
      return { time: timeMs, memory: (rssBytes - bare.rssBytes) / MEGABYTE };
    },
  };
}

function probe(specifier: string): { readonly timeMs: number; readonly rssBytes: number } {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", "probe.mjs"], {
    cwd: CACHE,
    encoding: "utf8",
    env: { ...env, SPECIFIER: specifier },
  });
  if (status !== 0) throw new Error(`cannot import "${specifier}": ${stderr}`);
  return JSON.parse(stdout) as { timeMs: number; rssBytes: number };
}

/** The peer comes from the registry into a folder of the benchmark; it is no dependency of the repository. */
function installPeer(): void {
  const manifest = join(CACHE, "node_modules", PEER, "package.json");
  if (
    existsSync(manifest) &&
    (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version === PEER_VERSION
  )
    return;
  writeFileSync(join(CACHE, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${PEER}@${PEER_VERSION}`);
}

function npm(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("npm", args, { cwd: CACHE, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${stderr}`);
}
