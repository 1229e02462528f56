/**
 * How the suites in test-real get foreign programs: with the language's own tools, from its registry, into a cache folder, so that
 * only the first run takes long. Builds run at low priority, what they built does not: its time is measured by its own tests. A
 * missing toolchain fails with the name of what to install.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const NICENESS = "10";
const OUTPUT_CHARACTERS_MAX = 200_000;

/** How a run differs from a plain one. */
export interface RunOptions {
  readonly cwd?: string;
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives way to everything else on the machine. @default false */
  readonly isNice?: boolean;
}

/** How a run ended. */
export interface RunResult {
  readonly code: number;
  /** What it printed, on either stream; of long output the end. */
  readonly output: string;
}

/** A folder that survives runs, for what a suite builds. */
export function cacheFolder(name: string): string {
  const root = process.env["KUBEWRIGHT_CACHE"] ?? join(homedir(), ".cache", "kubewright");
  const folder = join(root, "clients", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs a program, however it ends. Throws when it is not installed. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { cwd, env, isNice = false } = options;
  const child = spawn("nice", ["-n", isNice ? NICENESS : "0", program, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      // What env, nice and shells say of a program that is not there.
      if (code === 127)
        reject(new Error(`not run, because ${program} is missing: install it and run again\n${output}`));
      else resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a program that must succeed; returns what it printed. */
export async function build(program: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, output } = await run(program, args, { ...options, isNice: true });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output.slice(-8000)}`);
  return output;
}
