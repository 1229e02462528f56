/**
 * The embedded cluster: an API server, the built-in controllers, a scheduler and simulated kubelets in one process. The
 * controllers talk to the API server through its transport, as any client does.
 */
import { Lease } from "@kubewright/api/coordination/v1";
import { Node, Pod } from "@kubewright/api/core/v1";
import { type AdmissionOptions, type ApiServer, type ApiServerOptions, createApiServer } from "@kubewright/apiserver";
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { type Client, createManager, type Manager } from "@kubewright/runtime";
import { isSelected, selectControllers, switchOf } from "./controller-selection.ts";
import { ObjectFeed } from "./feed/object-feed.ts";
import { GARBAGE_COLLECTOR, GarbageCollector } from "./garbage/collector.ts";
import { type InfrastructureOptions, infrastructureControllers, offByDefault } from "./infrastructure.ts";
import { connect } from "./kubelet/exec.ts";
import { KUBELET, type KubeletOptions } from "./kubelet/kubelet.ts";
import { readLogs } from "./kubelet/logs.ts";
import { openPort } from "./kubelet/port-server.ts";
import { nodeLease, simulatedNode } from "./nodes.ts";
import { SCHEDULER } from "./scheduler/preempt.ts";
import { createDefaultAccount, defaultAccountController } from "./serviceaccount/default-account.ts";
import { claimBinder } from "./storage/binder.ts";
import { createDefaultClass } from "./storage/default-class.ts";
import { createServiceResolver } from "./webhooks/service-address.ts";
import { workloadControllers } from "./workloads.ts";

/** Options of `createCluster`. */
export interface ClusterOptions
  extends Pick<ApiServerOptions, "admission" | "certificateAuthority" | "serviceAccounts" | "storage" | "tokens">,
    KubeletOptions,
    InfrastructureOptions {
  /** @default real time */
  readonly clock?: Clock;
  /** @default the system's */
  readonly random?: Random;
  /** @default nothing is logged */
  readonly log?: Logger;
  /** How many simulated nodes there are. @default 1 */
  readonly nodes?: number;
  /**
   * Which built-in controllers run: "*" for all that are on by default, a name, or "-name" to leave one out; an empty list
   * is an API server alone. @default ["*"]
   */
  readonly controllers?: readonly string[];
}

/** A running cluster. */
export interface Cluster extends AsyncDisposable {
  /** Requests without a socket, as an administrator. */
  readonly transport: Transport;
  /** A client of the cluster, as an administrator. */
  readonly client: Client;
  readonly apiServer: ApiServer;
  /** What runs the built-in controllers. */
  readonly manager: Manager;
  /** True when no built-in controller works or could work on anything now. */
  readonly idle: boolean;
  /** Stops everything. */
  close(): Promise<void>;
}

/** Starts a cluster; it works when the promise resolves. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, log = silentLogger, nodes = 1 } = options;
  const ports = { clock, random, log };
  const { scripts = [] } = options;
  const apiServer: ApiServer = await createApiServer({
    ...ports,
    ...(options.certificateAuthority ? { certificateAuthority: options.certificateAuthority } : {}),
    ...(options.serviceAccounts ? { serviceAccounts: options.serviceAccounts } : {}),
    ...(options.storage ? { storage: options.storage } : {}),
    ...(options.tokens ? { tokens: options.tokens } : {}),
    admission: admissionOf(options, (namespace) => createDefaultAccount(manager.client, namespace)),
    webhooks: { resolveService: (service) => createServiceResolver(manager.client)(service) },
    pods: {
      readLogs: (request) => readLogs(request, { scripts, clock, findPod: (pod) => manager.client.find(Pod, pod) }),
      connect: (request) => connect(request, scripts),
      openPort: (request) => openPort(request, scripts),
    },
  });
  const { transport } = apiServer;
  const feed = new ObjectFeed(apiServer.storage, log);
  // Their writes follow the changes of others, however many: nothing of it is a loop to be held back.
  const { issueSecretToken: issueToken, signCertificate } = apiServer;
  const infrastructure = infrastructureControllers(feed, { ...options, issueToken, signCertificate });
  const all = [...workloadControllers(options), ...infrastructure].map((controller) => ({
    ...controller,
    reportsAs: switchOf(controller.name),
    guardsHotLoops: false,
    gathers: !MAKES_PODS_RUN.has(controller.name),
  }));
  const names = [GARBAGE_COLLECTOR, ...all.map(({ name }) => name)];
  const runs = selectControllers(options.controllers ?? ["*"], names, offByDefault);
  const controllers = all.filter(({ name }) => runs(name));
  const manager = createManager({
    ...ports,
    transport,
    name: "kubewright-cluster",
    controllers,
    eventApi: "core/v1",
    remembersReconciles: false, // Nobody could ask.
    client: { dropsManagedFields: true, givesObjects: true },
  });
  const collector = new GarbageCollector({ ...ports, feed, client: manager.client, events: manager.events });
  const close = async (): Promise<void> => {
    await collector.stop();
    await manager.stop();
    feed.close();
    await apiServer.close();
  };
  await joinNodes(manager.client, nodes, clock);
  if (runs(claimBinder.name)) await createDefaultClass(manager.client);
  await manager.start();
  if (runs(GARBAGE_COLLECTOR)) collector.start();
  return {
    transport,
    client: manager.client.with({ dropsManagedFields: false, givesObjects: false }),
    apiServer,
    manager,
    get idle() {
      return manager.idle && collector.idle;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The admission plugin that gives pods their service account. */
const SERVICE_ACCOUNTS = "ServiceAccount";
/** The one that taints new nodes until their controller finds them ready: simulated nodes are ready at once. */
const NODE_TAINTS = "TaintNodesByCondition";

/** Pods run as service accounts where somebody makes the default ones; without them every pod would be refused. */
function admissionOf(
  { admission = {}, controllers = ["*"] }: ClusterOptions,
  makeDefaultAccount: (namespace: string) => Promise<void>,
): AdmissionOptions {
  const { enable = [], disable: given = [] } = admission;
  const disable = enable.includes(NODE_TAINTS) ? given : [...given, NODE_TAINTS];
  const isMade = isSelected(defaultAccountController.name, controllers);
  const isOn = isMade && !disable.includes("*") && !disable.includes(SERVICE_ACCOUNTS);
  const own = { ...admission, disable };
  return isOn ? { ...own, enable: [...enable, SERVICE_ACCOUNTS], makeDefaultAccount } : own;
}

/** These go first: what the others sum up changes with every pod. */
const MAKES_PODS_RUN: ReadonlySet<string> = new Set([SCHEDULER, KUBELET]);

async function joinNodes(client: Client, count: number, clock: Clock): Promise<void> {
  for (let index = 0; index < count; index++) {
    const node = simulatedNode(index, clock.now());
    const existing = await client.find(Node, node);
    if (existing !== undefined) continue;
    const created = await client.create(Node, node);
    await client.create(Lease, nodeLease(created, clock.now()));
  }
}
