/** The operator in a process of its own, so that changed sources are loaded anew; what it prints is passed on by lines. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { CommandContext } from "../command/command-context.ts";
import { tellEvent } from "./dev-event.ts";

/** How long the operator may take to end before it is killed. */
const STOP_MS_MAX = 5_000;
/** What the operator logs when it works. */
const READY = "all caches are filled";

/** A running operator. */
export interface OperatorProcess {
  /** Ends it; resolves when it is gone. */
  stop(): Promise<void>;
}

/** Who is told about it. */
export interface OperatorListeners {
  /** It works. */
  readonly onReady: () => void;
  /** It ended by itself. */
  readonly onFailed: () => void;
}

/** Starts `kubewright <args>` in the project's folder. */
export function startOperator(
  args: readonly string[],
  context: CommandContext,
  { onReady, onFailed }: OperatorListeners,
): OperatorProcess {
  const [command = "", ...before] = context.program;
  const child = spawn(command, [...before, ...args], {
    cwd: context.folder,
    env: { ...context.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stopping = false;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      context.note(line);
      if (line.includes(READY)) onReady();
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      tellEvent({ event: "unstarted", reason: error.message }, context);
      resolve();
    });
    child.once("close", (exitCode) => {
      if (!stopping) {
        tellEvent({ event: "ended", exitCode }, context);
        onFailed();
      }
      resolve();
    });
  });
  return {
    async stop() {
      stopping = true;
      child.kill("SIGTERM");
      const cancel = context.clock.schedule(STOP_MS_MAX, () => child.kill("SIGKILL"));
      await ended;
      cancel();
    },
  };
}
