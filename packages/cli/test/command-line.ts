/** Command lines for tests: run in this process, in a folder of their own that sees the packages of this repository. */
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Clock } from "@kubewright/core/ports";
import { systemClock, systemFiles } from "@kubewright/node";
import { runCommandLine } from "../src/command/run-command-line.ts";
import { COMMANDS } from "../src/commands.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Program and arguments that run `kubewright` in a process of its own. */
export const PROGRAM: readonly string[] = [process.execPath, join(ROOT, "packages/cli/src/main.ts")];

/** What a command line did. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command line runs. */
export interface RunSettings {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** @default real time */
  readonly clock?: Clock;
  /** Called with each line that is printed. */
  readonly onLine?: (line: string) => void;
}

/** Runs a command line to its end. */
export async function run(settings: RunSettings, ...args: readonly string[]): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const to = (lines: string[]) => (line: string) => {
    lines.push(line);
    settings.onLine?.(line);
  };
  const exitCode = await runCommandLine(args, COMMANDS, {
    folder: settings.folder,
    env: settings.env ?? {},
    program: PROGRAM,
    clock: settings.clock ?? systemClock,
    files: systemFiles,
    signal: settings.signal ?? new AbortController().signal,
    format: "text",
    color: false,
    print: to(stdout),
    note: to(stderr),
  });
  return { exitCode, stdout: stdout.join("\n"), stderr: stderr.join("\n") };
}

/** A temporary folder in which projects find the packages; gone when disposed of. */
export async function projectFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "kubewright-cli-"));
  await symlink(join(ROOT, "node_modules"), join(path, "node_modules"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
