/**
 * The life of a program under test, such as an operator, on a cluster of its own in virtual time: it runs, may be killed
 * after a given write, and is then started again. Built on startCluster; the programs are managers or anything else that
 * talks through a transport.
 */
import {
  type Clock,
  type Logger,
  type Random,
  seededRandom,
  silentLogger,
  type Transport,
} from "@kubewright/core/ports";
import { type AnyController, createManager, customResourcesOf, type DurationInput } from "@kubewright/runtime";
import { startCluster } from "../start-cluster.ts";
import type { TestCluster, TestClusterOptions } from "../test-cluster.ts";
import { MortalTransport } from "./mortal-transport.ts";

/** How often a killed program may take another second to stop. */
const STOP_SECONDS_MAX = 60;

/** What a program runs with. */
export interface ProgramPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A program that runs. */
export interface RunningProgram {
  /** True when it works on nothing and could not now. */
  readonly idle: boolean;
  stop(): Promise<void>;
}

/** What a life is made of. */
export interface ProgramLifeOptions
  extends Omit<TestClusterOptions, "controllers" | "kubeconfig" | "level" | "provider"> {
  /** Starts the program; resolves when it works. */
  start(ports: ProgramPorts): Promise<RunningProgram>;
  /** The program is killed after so many writes. @default never */
  readonly writesMax?: number;
}

/** A program on its cluster. */
export interface ProgramLife extends AsyncDisposable {
  readonly cluster: TestCluster;
  /** What the first program sent, up to its death. */
  readonly transport: MortalTransport;
  /** Resolves when all is quiet; a program that was killed is started again before that. */
  settled(): Promise<void>;
  /** Stops the program, passes time without it, and starts it again. */
  downFor(duration: DurationInput): Promise<void>;
}

/** Controllers as a program: a manager that runs them. */
export function managerOf(controllers: readonly AnyController[]): Pick<ProgramLifeOptions, "start" | "resources"> {
  return {
    resources: customResourcesOf(controllers),
    async start(ports) {
      const manager = createManager({ ...ports, controllers });
      await manager.start();
      return manager;
    },
  };
}

/** Starts a cluster and the program on it. */
export async function startProgramLife(options: ProgramLifeOptions): Promise<ProgramLife> {
  const { start, writesMax, ...clusterOptions } = options;
  const cluster = await startCluster({ ...clusterOptions, provider: "embedded" });
  const ports = { clock: cluster.clock, random: seededRandom(options.seed ?? 1), log: options.log ?? silentLogger };
  const transport = new MortalTransport(cluster.transport, writesMax);
  let program = await start({ ...ports, transport });
  let isReborn = false;
  const downFor = async (duration: DurationInput): Promise<void> => {
    await stopInTime(program, cluster);
    await cluster.advance(duration);
    program = await start({ ...ports, transport: cluster.transport });
    isReborn = true;
  };
  return {
    cluster,
    transport,
    async settled() {
      do {
        await cluster.settled();
        if (transport.isDead && !isReborn) await downFor(0);
      } while (!program.idle);
      await cluster.settled();
    },
    downFor,
    async [Symbol.asyncDispose]() {
      await stopInTime(program, cluster);
      await cluster.stop();
    },
  };
}

/** A program may wait for time to pass while it stops: for a request to be tried again, or for a grace period. */
async function stopInTime(program: RunningProgram, cluster: TestCluster): Promise<void> {
  let isStopped = false;
  const stopping = program.stop().finally(() => {
    isStopped = true;
  });
  await cluster.settled();
  for (let second = 0; !isStopped && second < STOP_SECONDS_MAX; second++) await cluster.advance("1s");
  if (!isStopped) throw new Error(`the program did not stop within ${STOP_SECONDS_MAX} virtual seconds`);
  await stopping;
}
