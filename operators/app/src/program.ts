/**
 * The controller of App by hand: informers and their stores, a work queue, workers and an event recorder, without a
 * manager. Changes put keys into the queue, workers take them out and call `sync`, which makes the world match one App.
 * controllers/app.ts declares the same.
 */
import {
  Cache,
  type ChildKeeper,
  type Client,
  createChildKeeper,
  createClient,
  createEventRecorder,
  type EventRecorder,
  enqueueObjects,
  enqueueOwners,
  type ManagerOptions,
  rolloutConditions,
  runWorkers,
  WorkQueue,
  writeStatus,
} from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { App } from "./api/v1/app.ts";
import { deploymentFor, serviceFor } from "./children.ts";

/** What the program runs with. */
export type ProgramPorts = Required<Pick<ManagerOptions, "transport" | "clock" | "random" | "log">>;

/** Starts informers and workers; resolves when the workers work. */
export async function startAppProgram({ transport, ...ports }: ProgramPorts) {
  const cache = new Cache({ ...ports, client: createClient({ transport }) });
  const client = createClient({ transport, ...cache.observers });
  const events = createEventRecorder({ ...ports, client, controller: "app-controller" });
  const children = createChildKeeper({ for: App, controller: "app-controller", client, cache, events });
  const queue = new WorkQueue({ ...ports, backoff: { retriesMax: 10 } });
  const apps = cache.informer(App);
  enqueueObjects(apps, queue);
  enqueueOwners(cache.informer(Deployment), queue, App);
  enqueueOwners(cache.informer(Service), queue, App);
  cache.start();
  await cache.whenSynced();
  const work = (key: string) => sync(apps.store.get(key), { client, children, events, clock: ports.clock });
  const workers = runWorkers({ queue, count: 2, work, log: ports.log });
  return {
    /** True when no App is worked on or could be now. */
    get idle() {
      return queue.idle;
    },
    async stop(): Promise<void> {
      await workers.stop();
      await cache.stop();
      await events.flush();
    },
  };
}

type SyncPorts = { client: Client; children: ChildKeeper; events: EventRecorder; clock: ProgramPorts["clock"] };

/** Makes the world match one App: its children, its status, its event. */
async function sync(app: App | undefined, { children, events, ...ports }: SyncPorts): Promise<void> {
  if (app === undefined || app.metadata.deletionTimestamp !== undefined) return;
  const [deployment, service] = await Promise.allSettled([
    children.keep(app, Deployment, deploymentFor(app)),
    children.keep(app, Service, serviceFor(app)),
  ]);
  const problems = [deployment, service].flatMap((kept) => (kept.status === "rejected" ? [kept.reason] : []));
  const running = deployment.status === "fulfilled" ? deployment.value.object : undefined;
  const availableReplicas = running?.status?.availableReplicas ?? 0;
  await writeStatus(App, app, { availableReplicas, conditions: rolloutConditions(running, problems) }, ports);
  if (problems.length > 0) throw new AggregateError(problems, problems.map(({ message }) => message).join("; "));
  if ([deployment, service].some((kept) => kept.status === "fulfilled" && kept.value.written))
    events.record({ type: "Normal", regarding: app, reason: "Synced", note: "App synced successfully" });
}
