/**
 * The frameworks under test. Each has a folder here with the same operator, written as its documentation teaches: for each Widget a
 * ConfigMap that it controls, created if missing, updated if different, and then its status, written only if different.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { OperatorCommand } from "./driver/operator.ts";
import type { Setting } from "./metrics.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios/scenario-name.ts";

const HERE = import.meta.dirname;
const REPOSITORY = resolve(HERE, "../..");
/** Where what was built is kept. */
export const CACHE = join(process.env["KUBEWRIGHT_CACHE"] ?? join(homedir(), ".cache", "kubewright"), "bench");

/** A framework with the operator written in it. */
export interface Framework {
  readonly name: string;
  /** What the tables call it. */
  readonly label: string;
  /** What is measured of it, set up so. */
  readonly scenarios: Readonly<Record<Setting, ReadonlySet<ScenarioName>>>;
  /** Builds it into `CACHE`, unless what is there was built from the same sources. */
  build(): void;
  /** How it is started. */
  command(setting: Setting): Pick<OperatorCommand, "command" | "args"> & Partial<Pick<OperatorCommand, "env">>;
}

/** Tuned everything is measured; of a framework as it comes, what most depends on that. */
const OPERATOR: Framework["scenarios"] = {
  tuned: new Set(SCENARIOS),
  defaults: new Set(["cold", "converge", "reaction"]),
};

/** As an image has it: the bundle that `kubewright image` makes, started with the same flags and environment. */
const kubewright: Framework = {
  name: "kubewright",
  label: "kubewright (TypeScript)",
  scenarios: OPERATOR,
  build: () => {
    const output = join(CACHE, "kubewright");
    const cli = join(REPOSITORY, "packages/cli/src/main.ts");
    const args = [cli, "image", "bundle", "--file", join(output, "main.js"), "-o", "json"];
    const bundled = run(process.execPath, args, join(HERE, "kubewright"));
    writeFileSync(join(output, "package.json"), '{ "type": "module" }\n');
    writeFileSync(join(output, "bundled.json"), bundled);
  },
  command: () => {
    const bundled = readFileSync(join(CACHE, "kubewright/bundled.json"), "utf8");
    const { nodeFlags, environment } = JSON.parse(bundled) as {
      readonly nodeFlags: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
    };
    const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
    const args = [...nodeFlags, join(CACHE, "kubewright/main.js"), ...flags];
    return { command: process.execPath, args, env: environment };
  },
};

const controllerRuntime: Framework = {
  name: "controller-runtime",
  label: "controller-runtime 0.25 (Go)",
  scenarios: OPERATOR,
  build: () =>
    once("controller-runtime", (output) => {
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

const kubeRs: Framework = {
  name: "kube-rs",
  label: "kube-rs 5.0 (Rust)",
  scenarios: OPERATOR,
  build: () =>
    once("kube-rs", (output) => {
      const target = join(output, "target");
      run("cargo", ["build", "--release", "--locked", "--target-dir", target], join(HERE, "kube-rs"));
    }),
  command: () => ({ command: join(CACHE, "kube-rs/target/release/operator-rust"), args: [] }),
};

const javaOperatorSdk: Framework = {
  name: "java-operator-sdk",
  label: "java-operator-sdk 5.2 (Java)",
  scenarios: OPERATOR,
  build: () =>
    once("java-operator-sdk", (output) => {
      const repository = `-Dmaven.repo.local=${join(output, "repository")}`;
      run("mvn", ["-q", "-B", repository, `-Dout=${output}`, "package"], join(HERE, "java-operator-sdk"));
    }),
  command: () => {
    const output = join(CACHE, "java-operator-sdk");
    const classPath = `${join(output, "target/classes")}:${join(output, "lib")}/*`;
    return { command: "java", args: ["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", classPath, "bench.Main"] };
  },
};

/** Tuned it runs on uvloop, which `kopf run` picks up where it is installed. */
const kopf: Framework = {
  name: "kopf",
  label: "kopf 1.45 (Python)",
  scenarios: OPERATOR,
  build: () =>
    once("kopf", (output) => {
      for (const [folder, requirements] of [
        ["venv", "requirements.txt"],
        ["venv-tuned", "requirements-tuned.txt"],
      ] as const) {
        run("python3", ["-m", "venv", join(output, folder)], HERE);
        run(join(output, folder, "bin/pip"), ["install", "-q", "-r", requirements], join(HERE, "kopf"));
      }
    }),
  command: (setting) => ({
    command: join(CACHE, "kopf", setting === "tuned" ? "venv-tuned" : "venv", "bin/kopf"),
    args: ["run", "-A", "--standalone", ...(setting === "tuned" ? ["--quiet"] : []), join(HERE, "kopf/operator.py")],
  }),
};

const clientNode: Framework = {
  name: "client-node",
  label: "@kubernetes/client-node 2.0 (TypeScript)",
  scenarios: OPERATOR,
  build: () =>
    once("client-node", (output) => {
      cpSync(join(HERE, "client-node/operator.mts"), join(output, "operator.mts"));
      writeFileSync(join(output, "package.json"), '{ "private": true, "type": "module" }\n');
      run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "@kubernetes/client-node@2.0.1"], output);
      const esbuild = join(REPOSITORY, "node_modules/.bin/esbuild");
      const options = ["--bundle", "--format=esm", "--platform=node", "--packages=external", "--outfile=operator.mjs"];
      run(esbuild, ["operator.mts", ...options], output);
    }),
  command: () => ({ command: process.execPath, args: [join(CACHE, "client-node/operator.mjs")] }),
};

/** What the API server can take: the writes of an operator from 16 goroutines, and no operator. */
const ceiling: Framework = {
  name: "ceiling",
  label: "no operator, only its writes",
  scenarios: { tuned: new Set(["converge", "many"]), defaults: new Set() },
  build: () => controllerRuntime.build(),
  command: () => ({ command: join(CACHE, "controller-runtime/ceiling"), args: [] }),
};

/** All frameworks, in the order they are measured: ours and the peer of its promises side by side, the limit last. */
export const FRAMEWORKS: readonly Framework[] = [
  kubewright,
  controllerRuntime,
  kubeRs,
  kopf,
  javaOperatorSdk,
  clientNode,
  ceiling,
];

/** How a framework's operator is started, set up so. */
export function operatorCommand(framework: Framework, setting: Setting): OperatorCommand {
  const command = framework.command(setting);
  const env = { VARIANT: setting === "tuned" ? "TUNED" : "DEFAULT", ...command.env };
  const logFile = join(CACHE, "logs", `${framework.name}-${setting}.log`);
  return { ...command, env, logFile };
}

/** Builds unless the sources in the folder of that name are those that were built last. */
function once(name: string, build: (output: string) => void): void {
  const stamp = join(CACHE, name, "sources.sum");
  const sum = sourcesSum(join(HERE, name));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sum) return;
  mkdirSync(join(CACHE, name), { recursive: true });
  console.error(`building ${name}`);
  build(join(CACHE, name));
  writeFileSync(stamp, sum);
}

function sourcesSum(folder: string): string {
  const hash = createHash("sha256");
  for (const path of globSync("**/*", { cwd: folder }).toSorted()) {
    if (statSync(join(folder, path)).isFile()) hash.update(path).update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}

/** Runs a program to its end; what it printed. */
function run(command: string, args: readonly string[], folder: string): string {
  const { status, error, stderr, stdout } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? ""}${stderr}${stdout}`);
  return stdout;
}
