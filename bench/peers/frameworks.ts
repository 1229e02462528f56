/**
 * The frameworks under test. Each has a folder here with the same operator, written as its documentation teaches: for each Widget a
 * ConfigMap that it controls, created if missing, updated if different, and then its status, written only if different.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { OperatorCommand } from "./driver/operator.ts";
import type { Setting } from "./metrics.ts";

const HERE = import.meta.dirname;
const REPOSITORY = resolve(HERE, "../..");
/** Where what was built is kept. */
export const CACHE = join(process.env["KUBEWRIGHT_CACHE"] ?? join(homedir(), ".cache", "kubewright"), "bench");

/** A framework with the operator written in it. */
export interface Framework {
  readonly name: string;
  /** What the tables call it. */
  readonly label: string;
  /** Builds it into `CACHE`, unless what is there was built from the same sources. */
  build(): void;
  /** How it is started. */
  command(setting: Setting): Pick<OperatorCommand, "command" | "args">;
}

const kubewright: Framework = {
  name: "kubewright",
  label: "kubewright (TypeScript)",
  build: () => {
    const cli = join(REPOSITORY, "packages/cli/src/main.ts");
    run(
      process.execPath,
      [cli, "image", "bundle", "--file", join(CACHE, "kubewright/main.js")],
      join(HERE, "kubewright"),
    );
    writeFileSync(join(CACHE, "kubewright/package.json"), '{ "type": "module" }\n');
  },
  command: () => ({
    command: process.execPath,
    args: [join(CACHE, "kubewright/main.js"), "--metrics-bind-address=0", "--health-probe-bind-address=0"],
  }),
};

const controllerRuntime: Framework = {
  name: "controller-runtime",
  label: "controller-runtime 0.25 (Go)",
  build: () =>
    once("controller-runtime", () => {
      const output = join(CACHE, "controller-runtime");
      run(
        "go",
        [
          "build",
          "-trimpath",
          "-buildvcs=false",
          "-ldflags=-s -w",
          "-o",
          `${output}/`,
          "./cmd/operator",
          "./cmd/ceiling",
        ],
        join(HERE, "controller-runtime"),
      );
    }),
  command: () => ({ command: join(CACHE, "controller-runtime/operator"), args: [] }),
};

/** All frameworks, ours first. */
export const FRAMEWORKS: readonly Framework[] = [kubewright, controllerRuntime];

/** Builds unless the sources in the folder of that name are those that were built last. */
function once(name: string, build: () => void): void {
  const stamp = join(CACHE, name, "sources.sum");
  const sum = sourcesSum(join(HERE, name));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sum) return;
  mkdirSync(join(CACHE, name), { recursive: true });
  console.error(`building ${name}`);
  build();
  writeFileSync(stamp, sum);
}

function sourcesSum(folder: string): string {
  const hash = createHash("sha256");
  for (const path of globSync("**/*", { cwd: folder }).toSorted()) {
    if (statSync(join(folder, path)).isFile()) hash.update(path).update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}

function run(command: string, args: readonly string[], folder: string): void {
  const { status, error, stderr, stdout } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? ""}${stderr}${stdout}`);
}
