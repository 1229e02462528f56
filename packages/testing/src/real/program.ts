/**
 * One program of a real Kubernetes, started as a child process and ended with it. What it prints is kept (the last
 * part of it), so that a failure to start says why.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { type Clock, sleep } from "@kubewright/core/ports";

/** How much of a program's output is kept for error messages. */
const OUTPUT_CHARACTERS_MAX = 64_000;
const READY_POLL_MS = 50;
const READY_MS_MAX = 60_000;
/** How long a program may take to end after SIGTERM before it is killed. */
const STOP_MS_MAX = 10_000;

/** What to start and how to know that it is ready. */
export interface ProgramOptions {
  /** Path of the executable. */
  readonly path: string;
  readonly args: readonly string[];
  /** Asked repeatedly until it answers true; throwing counts as "not yet". */
  readonly ready: () => Promise<boolean>;
  readonly clock: Clock;
  /** @default this process's */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether it is told to end by the end of its input, in place of a signal. @default false */
  readonly endsWithInput?: boolean;
}

/** A running program. */
export interface Program {
  readonly pid: number;
  /** The last part of what it printed. */
  output(): string;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts a program; resolves when it is ready, rejects with its output when it ends or is not ready in time. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { path, args, env, endsWithInput = false } = options;
  const stdio = [endsWithInput ? "pipe" : "ignore", "pipe", "pipe"] as const;
  const child = spawn(path, args, { stdio: [...stdio], detached: false, ...(env !== undefined && { env }) });
  const program = watchProgram(child, options);
  try {
    await untilReady(child, options, program);
    return program;
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function watchProgram(child: ChildProcess, { clock, endsWithInput = false }: ProgramOptions): Program {
  let output = "";
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", (error) => {
      output += `${error.message}\n`;
      resolve();
    });
  });
  return {
    pid: child.pid ?? -1,
    output: () => output,
    async stop() {
      if (endsWithInput) child.stdin?.end();
      else child.kill("SIGTERM");
      const cancel = clock.schedule(STOP_MS_MAX, () => child.kill("SIGKILL"));
      await ended;
      cancel();
    },
  };
}

async function untilReady(child: ChildProcess, options: ProgramOptions, program: Program): Promise<void> {
  const deadline = options.clock.monotonic() + READY_MS_MAX;
  for (;;) {
    // Asked first: at the port of one that is gone somebody else may answer.
    const gone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    if (!gone && (await options.ready().catch(() => false))) return;
    if (gone || options.clock.monotonic() > deadline) {
      const why = gone ? "ended before it was ready" : `was not ready after ${READY_MS_MAX / 1000} s`;
      throw new Error(`${options.path} ${why}; the end of its output:\n${program.output().slice(-4000)}`);
    }
    await sleep(options.clock, READY_POLL_MS);
  }
}

/** Resolves when this process's input ends: whoever started it with `endsWithInput` wants it to stop, or is gone. */
export function inputEnded(): Promise<void> {
  const input = createReadStream("", { fd: 0 });
  return new Promise((resolve) => {
    input.once("end", resolve);
    input.once("error", () => resolve());
    input.resume();
  });
}
