/**
 * `runOperator`: a whole operator process. Flags and environment → connection → manager, probes and metrics → signals. It resolves when
 * the operator ended by a signal, after what ran was finished and the lease given back.
 */
import { type Clock, type Logger, type Random, randomUuid } from "@kubewright/core/ports";
import {
  createConsoleLogger,
  type SystemProcess,
  systemClock,
  systemFiles,
  systemProcess,
  systemRandom,
} from "@kubewright/node";
import { createClient } from "../client/create-client.ts";
import { attributeRejection, beginAttribution } from "../controller/attribution.ts";
import type { AnyController } from "../controller/define-controller.ts";
import { toMilliseconds } from "../controller/duration.ts";
import type { ElectionTiming } from "../election/election-state.ts";
import { isConfigurationError } from "../kubeconfig/configuration-error.ts";
import { type Connection, findConnection } from "../kubeconfig/connection.ts";
import { findTracer } from "../metrics/find-tracer.ts";
import type { Tracer } from "../metrics/tracing.ts";
import { createHttpTransport, type HttpTransport } from "../transport/http-transport.ts";
import { asksForHelp, formatFlags, type OperatorFlags, parseFlags } from "./flags.ts";
import { createManager, type LeaderElectionSettings, type ManagerOptions } from "./manager.ts";
import { startServers } from "./operator-servers.ts";

/** The exit code of a process that cannot use what it was given. */
const FAILED = 1;
/** The exit code of a process that was started in a wrong way. */
const WRONG_USE = 2;

/** What an operator is made of. */
export interface OperatorOptions {
  readonly controllers: readonly AnyController[];
  /** Names the operator in events, leases and metrics. @default the name of the first controller */
  readonly name?: string;
  /** Defaults of the flags. */
  readonly flags?: Partial<OperatorFlags>;
  /** Namespaces to follow unless a flag names some, by name or by label. @default all */
  readonly namespaces?: ManagerOptions["namespaces"];
  /** How long leadership lasts. @default 15 s lease, 10 s renew deadline, 2 s between tries */
  readonly electionTiming?: ElectionTiming;
  /** Opens a span per reconcile and per request. @default that of the OpenTelemetry SDK that the program registered, if any */
  readonly tracer?: Tracer;
  /** Told the port of the debug server, before anything is reconciled: for those who let it take a free one. */
  readonly onDebugPort?: (port: number) => void | Promise<void>;
  /** @default the console, as the flags say */
  readonly log?: Logger;
  /** Arguments, environment and signals. @default this process's */
  readonly host?: SystemProcess;
}

/**
 * Runs an operator until it is told to stop. What whoever started it has to put right (a flag, the kubeconfig) is told in one line on
 * standard error and ends the process; any other error is a rejection.
 * @example await runOperator({ controllers: [memcachedController] });
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const { host = systemProcess } = options;
  const flags = readFlags(host, options);
  if (flags === undefined) return;
  await runWithFlags(flags, options, host).catch((error: unknown) => {
    if (!isConfigurationError(error)) throw error;
    host.printError(`${error.message}\n`);
    host.exit(FAILED);
  });
}

async function runWithFlags(flags: OperatorFlags, options: OperatorOptions, host: SystemProcess): Promise<void> {
  const clock = systemClock;
  const random = systemRandom;
  const { logLevel: level, logFormat: format } = flags;
  const write = (line: string): void => host.printError(line);
  const log = options.log ?? createConsoleLogger({ clock, level, format, write });
  const connection = await findConnection({
    ...flags,
    env: host.env,
    files: systemFiles,
    clock,
    runProgram: flags.allowExecCredentials ? host.runProgram : undefined,
    stdinIsTerminal: host.stdinIsTerminal,
    warn: (text) => log.warn(text),
  });
  for (const warning of connection.warnings) log.warn(warning);
  await runConnected({ options, flags, connection, host, ports: { clock, random, log } });
}

/** The flags; undefined when there is nothing to run, because somebody asks for them or gave some that nobody understands. */
function readFlags(host: SystemProcess, { flags }: OperatorOptions): OperatorFlags | undefined {
  if (asksForHelp(host.args)) {
    host.print(formatFlags(flags));
    return undefined;
  }
  try {
    return parseFlags(host.args, host.env, flags);
  } catch (error) {
    host.printError(`${error instanceof Error ? error.message : String(error)}\n`);
    host.exit(WRONG_USE);
    return undefined;
  }
}

interface Run {
  readonly options: OperatorOptions;
  readonly flags: OperatorFlags;
  readonly connection: Connection;
  readonly host: SystemProcess;
  readonly ports: { readonly clock: Clock; readonly random: Random; readonly log: Logger };
}

async function runConnected(run: Run): Promise<void> {
  const { options, flags, connection, host, ports } = run;
  const name = options.name ?? options.controllers[0]?.name ?? "kubewright";
  using transport = createHttpTransport({ ...connection, userAgent: `${name} kubewright` });
  using leaseTransport = createHttpTransport({ ...connection, userAgent: `${name} kubewright` });
  const client = connection.impersonate === undefined ? {} : { impersonate: connection.impersonate };
  const tracer = options.tracer ?? findTracer(name, host);
  const leaderElection = flags.leaderElect ? electionOf(run, name, leaseTransport) : undefined;
  const manager = createManager({
    transport,
    controllers: options.controllers,
    name,
    ...ports,
    graceMs: toMilliseconds(flags.gracefulShutdownTimeout),
    namespaces: flags.namespaces.length === 0 ? options.namespaces : flags.namespaces,
    client,
    ...(leaderElection === undefined ? {} : { leaderElection }),
    ...(tracer === undefined ? {} : { tracer }),
    onLeadershipLost: () => host.exit(1),
  });
  using eventLoop = host.measureEventLoop();
  using _attribution = { [Symbol.dispose]: beginAttribution() };
  using _rejections = { [Symbol.dispose]: host.onUnhandledRejection((reason) => takeRejection(reason, run)) };
  const { onDebugPort } = options;
  const { hostName } = host;
  const asking = createClient({ transport, ...client });
  const servers = await startServers({ manager, client: asking, eventLoop, flags, ports, hostName, onDebugPort });
  ports.log.info("starting", { operator: name, server: connection.server });
  using signals = stopSignals(host);
  manager.start().then(
    () => ports.log.info("all caches are filled"),
    () => {}, // Stopped before they were.
  );
  await signals.first;
  ports.log.info("stopping");
  await manager.stop();
  await Promise.all(servers.map((server) => server.close()));
}

/** A rejection that belongs to a reconcile is that reconcile's; any other leaves the process in an unknown state. */
function takeRejection(reason: unknown, { host, ports }: Run): void {
  if (attributeRejection(reason)) return;
  ports.log.error("a promise was rejected and nobody handled it; ending", { error: reason });
  host.exit(1);
}

/** Waits for the first signal; the second one ends the process at once. */
function stopSignals(host: SystemProcess): Disposable & { readonly first: Promise<void> } {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  let signals = 0;
  const cancel = host.onStopSignal(() => {
    signals += 1;
    if (signals > 1) host.exit(1);
    resolve();
  });
  return { first, [Symbol.dispose]: cancel };
}

function electionOf(
  { options, flags, connection, host, ports }: Run,
  name: string,
  transport: HttpTransport,
): LeaderElectionSettings {
  return {
    name: flags.leaderElectionId ?? name,
    namespace: flags.leaderElectionNamespace ?? connection.namespace,
    identity: `${host.hostName}_${randomUuid(ports.random)}`,
    transport,
    ...(options.electionTiming === undefined ? {} : { timing: options.electionTiming }),
  };
}
