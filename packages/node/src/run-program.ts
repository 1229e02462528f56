/**
 * Runs a program that gives credentials, without a shell. What it prints may hold secrets, so an error tells its failure alone; what it
 * says to its user goes to our standard error. system-process.ts offers it.
 */
import { spawn } from "node:child_process";

/** A program that takes longer is ended. */
const RUN_MS_MAX = 60_000;

/** One that asks its user has as long as somebody needs to log in. */
const INTERACTIVE_RUN_MS_MAX = 600_000;

const OUTPUT_BYTES_MAX = 1024 * 1024;

/** A program to run. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to our environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it gets our standard input. */
  readonly interactive: boolean;
}

/** Runs a program to its end and returns what it printed. */
export function runProgram({ command, args, env, interactive }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const limitMs = interactive ? INTERACTIVE_RUN_MS_MAX : RUN_MS_MAX;
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
      signal: AbortSignal.timeout(limitMs), // Not `timeout`, whose timer outlives a program that is not there.
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > OUTPUT_BYTES_MAX) child.kill();
      else chunks.push(chunk);
    });
    child.once("error", ({ code }: NodeJS.ErrnoException) => {
      const why = { ENOENT: "not found", ABORT_ERR: `took longer than ${limitMs / 1000} s` }[code ?? ""];
      reject(new Error(`executable ${command} ${why ?? `failed: ${code}`}`));
    });
    child.once("close", (code, signal) => {
      if (length > OUTPUT_BYTES_MAX)
        reject(new Error(`executable ${command} printed more than ${OUTPUT_BYTES_MAX} bytes`));
      else if (code === 0) resolve(Buffer.concat(chunks).toString());
      else reject(new Error(`executable ${command} failed with ${code === null ? signal : `exit code ${code}`}`));
    });
  });
}
