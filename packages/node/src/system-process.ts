/** This process: its arguments, environment, signals and end, and programs that it may run. The only place that touches `process`. */
import { hostname } from "node:os";
import type { Cancel } from "@kubewright/core/ports";
import { type EventLoopMeter, measureEventLoop } from "./event-loop.ts";
import type { Program } from "./run-program.ts";

/** What a program needs of the process it runs in. */
export interface SystemProcess {
  /** Arguments after the program's own name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names the machine, or the pod. */
  readonly hostName: string;
  /** Calls `listener` for each signal that asks to stop (SIGTERM, SIGINT); the process lives on until cancelled. */
  onStopSignal(listener: () => void): Cancel;
  /** Calls `listener` for each rejected promise that nobody handles; without one such a promise ends the process. */
  onUnhandledRejection(listener: (reason: unknown) => void): Cancel;
  /** Measures how late the event loop is. */
  measureEventLoop(): EventLoopMeter;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  printError(text: string): void;
  /** Ends the process. */
  exit(code: number): void;
  /** What packages of this process keep for each other under a registered symbol. */
  shared(key: symbol): unknown;
  /** Whether somebody sits at standard input. */
  readonly stdinIsTerminal: boolean;
  /** Runs a program without a shell and returns what it prints; what it says to its user goes to our standard error. */
  runProgram(program: Program): Promise<string>;
}

const STDIN = 0;

/** This process. */
export const systemProcess: SystemProcess = {
  args: process.argv.slice(2),
  env: process.env,
  hostName: hostname(),
  onStopSignal(listener) {
    process.on("SIGTERM", listener);
    process.on("SIGINT", listener);
    // Whoever waits for a signal is not done, even when no connection is open at the moment.
    const alive = setInterval(() => {}, 2 ** 30);
    return () => {
      clearInterval(alive);
      process.off("SIGTERM", listener);
      process.off("SIGINT", listener);
    };
  },
  onUnhandledRejection(listener) {
    process.on("unhandledRejection", listener);
    return () => {
      process.off("unhandledRejection", listener);
    };
  },
  measureEventLoop,
  print: (text) => {
    process.stdout.write(text);
  },
  printError: (text) => {
    process.stderr.write(text);
  },
  exit: (code) => process.exit(code),
  shared: (key) => (globalThis as { readonly [key: symbol]: unknown })[key],
  get stdinIsTerminal() {
    return process.getBuiltinModule("node:tty").isatty(STDIN);
  },
  // Loaded when it is needed: hardly any operator runs programs.
  runProgram: async (program) => (await import("./run-program.ts")).runProgram(program),
};
