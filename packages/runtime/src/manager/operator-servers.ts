/** The servers of an operator's process: probes (liveness, readiness), metrics, and what it did lately. run-operator.ts starts and closes them. */
import type { Clock, Random } from "@kubewright/core/ports";
import type { EventLoopMeter } from "@kubewright/node";
import type { CertificatePair } from "@kubewright/node/certificates";
import type { Client } from "../client/client.ts";
import { configurationError, isConfigurationError } from "../kubeconfig/configuration-error.ts";
import type { OperatorFlags } from "./flags.ts";
import type { Manager } from "./lifecycle.ts";
import { createMetricsAccess } from "./metrics-access.ts";
import type { ProbeAnswer, ProbeServer } from "./probe-server.ts";

/** An event loop that is held up for longer fails liveness: leases are lost after 10 s without a renewal. */
const LAG_MS_MAX = 5_000;

/** What the servers show, and how. */
export interface ServersOptions {
  readonly manager: Manager;
  /** Asks who may read metrics. */
  readonly client: Client;
  readonly eventLoop: EventLoopMeter;
  readonly flags: OperatorFlags;
  readonly ports: { readonly clock: Clock; readonly random: Random };
  /** Told the port of the debug server. */
  readonly onDebugPort?: ((port: number) => void | Promise<void>) | undefined;
  /** Names the certificate of secure metrics. */
  readonly hostName: string;
}

/** Starts the servers that the flags ask for. */
export async function startServers(options: ServersOptions): Promise<readonly ProbeServer[]> {
  const { manager, eventLoop, flags } = options;
  observeEventLoop(manager, eventLoop);
  const servers: ProbeServer[] = [];
  const { healthProbeBindAddress, metricsBindAddress, debugBindAddress } = flags;
  if (healthProbeBindAddress !== "0") {
    servers.push(await startProbes(options).catch(advise(`--health-probe-bind-address=${healthProbeBindAddress}`)));
  }
  if (metricsBindAddress !== "0") {
    servers.push(await startMetrics(options).catch(advise(`--metrics-bind-address=${metricsBindAddress}`)));
  }
  if (debugBindAddress !== "0") {
    servers.push(await startDebug(options).catch(advise(`--debug-bind-address=${debugBindAddress}`)));
  }
  return servers;
}

/** Says which flag is to be changed, most often because another operator has the port; what is not about the address stays as it is. */
function advise(flag: string): (error: Error) => never {
  return (error) => {
    if (isConfigurationError(error)) throw configurationError(`${flag}: ${error.message}`, { cause: error });
    if (!("syscall" in error)) throw error;
    throw configurationError(`${flag}: ${error.message}; choose another address, or 0 for none`, { cause: error });
  };
}

async function startProbes({ manager, eventLoop, flags }: ServersOptions): Promise<ProbeServer> {
  const { startProbeServer } = await import("./probe-server.ts"); // Only now: loading node:http takes a while.
  const answer = async (path: string): Promise<ProbeAnswer | undefined> => probe(path, manager, eventLoop);
  return startProbeServer({ address: flags.healthProbeBindAddress, answer });
}

async function startDebug({ manager, flags, onDebugPort }: ServersOptions): Promise<ProbeServer> {
  const { startDebugServer } = await import("./debug-server.ts");
  const server = await startDebugServer(flags.debugBindAddress, manager);
  await onDebugPort?.(server.port);
  return server;
}

/** Liveness says that the process turns; readiness that its caches follow. */
function probe(path: string, manager: Manager, eventLoop: EventLoopMeter): ProbeAnswer | undefined {
  if (path === "/healthz" || path === "/livez") return liveness(eventLoop.read().maxMs);
  if (path !== "/readyz") return undefined;
  const problems = manager.problems();
  return problems.length === 0 ? { status: 200, text: "ok\n" } : { status: 503, text: `${problems.join("\n")}\n` };
}

function liveness(lagMs: number): ProbeAnswer {
  if (lagMs <= LAG_MS_MAX) return { status: 200, text: "ok\n" };
  const text = `the event loop was held up for ${(lagMs / 1000).toFixed(1)} s; look for long synchronous work\n`;
  return { status: 503, text };
}

async function issueCertificate({ hostName, ports }: ServersOptions): Promise<CertificatePair> {
  const { createCertificateAuthority } = await import("@kubewright/node/certificates");
  return createCertificateAuthority(ports).issue({
    commonName: hostName,
    dnsNames: [hostName],
    usages: ["server auth"],
  });
}

async function startMetrics(options: ServersOptions): Promise<ProbeServer> {
  const { manager, client, flags, ports } = options;
  const access = flags.metricsSecure ? createMetricsAccess(client, ports.clock) : undefined;
  const { startProbeServer } = await import("./probe-server.ts");
  const tls = flags.metricsSecure ? await issueCertificate(options) : undefined;
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

function observeEventLoop({ metrics }: Manager, eventLoop: EventLoopMeter): void {
  const gauge = (name: string, help: string, read: () => number): void =>
    metrics.observedGauge({ name, help }, () => [[[], read() / 1000]]);
  gauge("nodejs_eventloop_lag_p99_seconds", "How late 99 of 100 turns of the event loop were at most.", () => {
    return eventLoop.read().p99Ms;
  });
  gauge("nodejs_eventloop_lag_max_seconds", "How late the event loop was at most.", () => eventLoop.read().maxMs);
}
