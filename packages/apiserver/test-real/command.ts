/** A program run as a user runs it: arguments and input in, exit code and output back. */
import { spawn } from "node:child_process";

/** How a run ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run differs from a plain one. */
export interface CommandOptions {
  /** What it reads; an object is written as JSON. */
  readonly input?: string | object;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program as soon as this holds of its output. */
  readonly until?: (stdout: string) => boolean;
  /** Called with the output so far, each time there is more. */
  readonly onOutput?: (stdout: string) => void;
}

/** The arguments of a run, split at spaces; those with spaces are given as a list. */
export type Arguments = string | readonly string[];

/** A program to be run. */
export interface Command {
  /** Runs it, however it ends. */
  run(args: Arguments, options?: CommandOptions): Promise<CommandResult>;
  /** Runs it and returns its output; throws with everything it printed when it fails. */
  text(args: Arguments, options?: CommandOptions): Promise<string>;
}

/** The command of a program in an environment; `extra` arguments end every run. */
export function commandOf(
  program: string,
  env: Readonly<Record<string, string>>,
  extra: readonly string[] = [],
): Command {
  const run: Command["run"] = (args, options = {}) => {
    const given = typeof args === "string" ? args.split(" ") : args;
    return start(program, [...given, ...extra], { ...options, env: { ...env, ...options.env } });
  };
  const text: Command["text"] = async (args, options) => {
    const { code, stdout, stderr } = await run(args, options);
    if (code !== 0) throw new Error(`${program} ${args} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  return { run, text };
}

function start(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { input = "", env = {}, until, onOutput } = options;
  const child = spawn(program, args, { env: { ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    onOutput?.(stdout);
    if (until?.(stdout) === true) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on("error", () => {}); // A program that ends early does not read its input.
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 0, stdout, stderr }));
  });
}
