/**
 * The embedded cluster: an API server, the built-in controllers, a scheduler and simulated kubelets in one process. The
 * controllers talk to the API server through its transport, as any client does.
 */
import { Node } from "@kubewright/api/core/v1";
import { type ApiServer, type ApiServerOptions, createApiServer } from "@kubewright/apiserver";
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { type AnyController, type Client, createManager, type Manager } from "@kubewright/runtime";
import { deploymentController } from "./deployment/controller.ts";
import { createKubelet, type KubeletOptions } from "./kubelet/kubelet.ts";
import { simulatedNode } from "./nodes.ts";
import { replicaSetController } from "./replicaset/controller.ts";
import { scheduler } from "./scheduler/scheduler.ts";

/** Options of `createCluster`. */
export interface ClusterOptions extends Pick<ApiServerOptions, "storage">, KubeletOptions {
  /** @default real time */
  readonly clock?: Clock;
  /** @default the system's */
  readonly random?: Random;
  /** @default nothing is logged */
  readonly log?: Logger;
  /** How many simulated nodes there are. @default 1 */
  readonly nodes?: number;
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
  /** Stops everything. */
  close(): Promise<void>;
}

/** Starts a cluster; it works when the promise resolves. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, log = silentLogger, nodes = 1 } = options;
  const ports = { clock, random, log };
  const apiServer = await createApiServer({ ...ports, ...(options.storage ? { storage: options.storage } : {}) });
  const { transport } = apiServer;
  const manager = createManager({
    ...ports,
    transport,
    name: "kubewright-cluster",
    controllers: controllersOf(options),
  });
  const close = async (): Promise<void> => {
    await manager.stop();
    await apiServer.close();
  };
  await joinNodes(manager.client, nodes, clock);
  await manager.start();
  return { transport, client: manager.client, apiServer, manager, close, [Symbol.asyncDispose]: close };
}

function controllersOf(options: KubeletOptions): readonly AnyController[] {
  return [deploymentController, replicaSetController, scheduler, createKubelet(options)];
}

async function joinNodes(client: Client, count: number, clock: Clock): Promise<void> {
  for (let index = 0; index < count; index++) {
    const node = simulatedNode(`node-${index}`, clock.now());
    const existing = await client.find(Node, node);
    if (existing === undefined) await client.create(Node, node);
  }
}
