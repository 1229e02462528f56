/** A foreign program that runs beside a test: started, listened to, ended with the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const KILL_AFTER_MS = 10_000;

/** A running program. */
export interface ForeignProgram extends AsyncDisposable {
  /** What it printed so far, on either stream. */
  output(): string;
  /** Throws with its output when it has ended. */
  requireRunning(): void;
}

/** Starts a program. */
export function startForeignProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ForeignProgram {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  child.once("error", (error) => {
    output += `${error.message}\n`;
  });
  return {
    output: () => output,
    requireRunning() {
      if (hasEnded(child)) throw new Error(`${program} ended; it printed:\n${output}`);
    },
    async [Symbol.asyncDispose]() {
      if (hasEnded(child)) return;
      const closed = once(child, "close");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
