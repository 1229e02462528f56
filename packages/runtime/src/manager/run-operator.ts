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
import type { CertificatePair } from "@kubewright/node/certificates";
import { createClient } from "../client/create-client.ts";
import type { AnyController } from "../controller/define-controller.ts";
import { toMilliseconds } from "../controller/duration.ts";
import { type Connection, findConnection } from "../kubeconfig/connection.ts";
import type { Tracer } from "../metrics/tracing.ts";
import { createHttpTransport, type HttpTransport } from "../transport/http-transport.ts";
import { type OperatorFlags, parseFlags } from "./flags.ts";
import { createManager, type LeaderElectionSettings, type Manager } from "./manager.ts";
import { createMetricsAccess } from "./metrics-access.ts";
import type { ProbeAnswer, ProbeServer } from "./probe-server.ts";

/** What an operator is made of. */
export interface OperatorOptions {
  readonly controllers: readonly AnyController[];
  /** Names the operator in events, leases and metrics. @default the name of the first controller */
  readonly name?: string;
  /** Defaults of the flags. */
  readonly flags?: Partial<OperatorFlags>;
  /** Opens a span per reconcile and per request: a tracer of `@opentelemetry/api`. @default none */
  readonly tracer?: Tracer;
  /** @default the console, as the flags say */
  readonly log?: Logger;
  /** Arguments, environment and signals. @default this process's */
  readonly host?: SystemProcess;
}

/**
 * Runs an operator until it is told to stop.
 * @example await runOperator({ controllers: [memcachedController] });
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const { host = systemProcess } = options;
  const flags = parseFlags(host.args, host.env, options.flags);
  const clock = systemClock;
  const random = systemRandom;
  const log = options.log ?? createConsoleLogger({ clock, level: flags.logLevel, format: flags.logFormat });
  const connection = await findConnection({
    ...flags,
    env: host.env,
    files: systemFiles,
    clock,
    runProgram: flags.allowExecCredentials ? host.runProgram : undefined,
  });
  for (const warning of connection.warnings) log.warn(warning);
  await runConnected({ options, flags, connection, host, ports: { clock, random, log } });
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
  const leaderElection = flags.leaderElect ? electionOf(run, name, leaseTransport) : undefined;
  const manager = createManager({
    transport,
    controllers: options.controllers,
    name,
    ...ports,
    graceMs: toMilliseconds(flags.gracefulShutdownTimeout),
    ...(flags.namespaces.length === 0 ? {} : { namespaces: flags.namespaces }),
    ...(connection.impersonate === undefined ? {} : { client: { impersonate: connection.impersonate } }),
    ...(leaderElection === undefined ? {} : { leaderElection }),
    ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
    onLeadershipLost: () => host.exit(1),
  });
  const servers = await startServers(manager, run, transport);
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
  { flags, connection, host, ports }: Run,
  name: string,
  transport: HttpTransport,
): LeaderElectionSettings {
  return {
    name: flags.leaderElectionId ?? name,
    namespace: flags.leaderElectionNamespace ?? connection.namespace,
    identity: `${host.hostName}_${randomUuid(ports.random)}`,
    transport,
  };
}

async function startServers(manager: Manager, run: Run, transport: HttpTransport): Promise<readonly ProbeServer[]> {
  const { flags } = run;
  const { startProbeServer } = await import("./probe-server.ts");
  const servers: ProbeServer[] = [];
  if (flags.healthProbeBindAddress !== "0") {
    servers.push(
      await startProbeServer({ address: flags.healthProbeBindAddress, answer: async (path) => probe(path, manager) }),
    );
  }
  if (flags.metricsBindAddress !== "0") servers.push(await startMetrics(manager, run, transport));
  return servers;
}

/** Liveness says that the process turns; readiness that its caches follow. */
function probe(path: string, manager: Manager): ProbeAnswer | undefined {
  if (path === "/healthz" || path === "/livez") return { status: 200, text: "ok\n" };
  if (path !== "/readyz") return undefined;
  const problems = manager.problems();
  return problems.length === 0 ? { status: 200, text: "ok\n" } : { status: 503, text: `${problems.join("\n")}\n` };
}

async function issueCertificate({ host: { hostName }, ports }: Run): Promise<CertificatePair> {
  const { createCertificateAuthority } = await import("@kubewright/node/certificates");
  return createCertificateAuthority(ports).issue({
    commonName: hostName,
    dnsNames: [hostName],
    usages: ["server auth"],
  });
}

async function startMetrics(manager: Manager, run: Run, transport: HttpTransport): Promise<ProbeServer> {
  const { flags, ports } = run;
  const access = flags.metricsSecure ? createMetricsAccess(createClient({ transport }), ports.clock) : undefined;
  const { startProbeServer } = await import("./probe-server.ts");
  const tls = flags.metricsSecure ? await issueCertificate(run) : undefined;
  return startProbeServer({
    address: flags.metricsBindAddress,
    ...(tls === undefined ? {} : { tls }),
    async answer(path, headers) {
      if (path !== "/metrics") return undefined;
      const decision = (await access?.(headers.authorization, path)) ?? 200;
      if (decision !== 200) return { status: decision, text: "metrics need a token that may get /metrics\n" };
      return { status: 200, text: manager.metrics.print(), contentType: "text/plain; version=0.0.4; charset=utf-8" };
    },
  });
}
