/** An operator under test: a process with a kubeconfig, its output in a file, ended as Kubernetes ends pods. */
import { spawn } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { cpuSeconds, memoryMegabytes, processTree } from "./process-tree.ts";

/** How long it may take to end by itself. */
const STOP_MS_MAX = 8000;

/** An operator is idle when it uses less than this of a core… */
const IDLE_CORES_MAX = 0.05;
/** …for this long. */
const IDLE_MS = 2000;
const SETTLE_MS_MAX = 300_000;

/** How to start an operator. */
export interface OperatorCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where its output goes. */
  readonly logFile: string;
}

/** A running operator. */
export interface Operator extends AsyncDisposable {
  readonly pid: number;
  /** When it was started, by `performance.now()`. */
  readonly startedMs: number;
  /** True when it ended by itself. */
  readonly ended: boolean;
  cpuSeconds(): number;
  memoryMegabytes(which: "VmRSS" | "VmHWM"): number;
  /** Resolves when it uses next to no CPU: what is measured next must not wait for what was left in its queue. */
  settle(): Promise<void>;
}

/** Starts an operator on the cluster of `kubeconfig`. */
export function startOperator(operator: OperatorCommand, kubeconfig: string): Operator {
  mkdirSync(dirname(operator.logFile), { recursive: true });
  const log = openSync(operator.logFile, "a");
  const startedMs = performance.now();
  const child = spawn(operator.command, operator.args, {
    env: { ...plainEnvironment(), ...operator.env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", log, log],
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const pid = child.pid ?? -1;
  return {
    pid,
    startedMs,
    get ended() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    cpuSeconds: () => cpuSeconds(pid),
    memoryMegabytes: (which) => memoryMegabytes(pid, which),
    settle: () => settle(pid),
    async [Symbol.asyncDispose]() {
      const tree = processTree(pid);
      child.kill("SIGTERM");
      const timer = setTimeout(() => killAll(tree), STOP_MS_MAX);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * What a program needs to run at all. The rest of this machine's environment stays outside, as it does of a container: of settings for
 * one runtime (`NODE_EXTRA_CA_CERTS` adds 60 ms to every start of Node.js, `GOGC`, `JAVA_TOOL_OPTIONS` …) only that one would be measured with them.
 */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME };
}

async function settle(pid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < SETTLE_MS_MAX; waitedMs += IDLE_MS) {
    const before = cpuSeconds(pid);
    await delay(IDLE_MS);
    if (((cpuSeconds(pid) - before) * 1000) / IDLE_MS < IDLE_CORES_MAX) return;
  }
  throw new Error(`still busy after ${SETTLE_MS_MAX / 1000} s without work`);
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone already.
    }
  }
}
