/**
 * The controller of App by hand: informers and their stores, a work queue, workers and an event recorder, without a
 * manager. Changes put keys into the queue, workers take them out and call `sync`, which makes the world match one App.
 * controllers/app.ts declares the same.
 */
import {
  type Clock,
  createClient,
  createEventRecorder,
  getControllerOf,
  Informer,
  type KubernetesObject,
  keyOf,
  type Logger,
  type QueueItem,
  type Random,
  type Transport,
  WorkQueue,
} from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { App } from "./api/v1/app.ts";
import { createSync } from "./sync.ts";

const WORKERS = 2;
const RETRIES_MAX = 10;

/** What the program runs with. */
export interface ProgramPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** A program that runs. */
export interface AppProgram {
  /** True when no App is worked on or could be now. */
  readonly idle: boolean;
  stop(): Promise<void>;
}

/** Starts informers and workers; resolves when the workers work. */
export async function startAppProgram({ transport, ...ports }: ProgramPorts): Promise<AppProgram> {
  const plain = { ...ports, client: createClient({ transport }) };
  const apps = new Informer({ ...plain, definition: App });
  const deployments = new Informer({ ...plain, definition: Deployment });
  const services = new Informer({ ...plain, definition: Service });
  const informers = [apps, deployments, services] as const;
  // What the program wrote is in the stores at once: a sync never sees less than the one before it did.
  const client = createClient({
    transport,
    onWritten: ({ definition, object }) => {
      if (definition === App) apps.observeWritten(object as App);
      if (definition === Deployment) deployments.observeWritten(object as Deployment);
      if (definition === Service) services.observeWritten(object as Service);
    },
  });
  const events = createEventRecorder({ ...plain, controller: "app-controller" });
  const queue = new WorkQueue({ ...ports, backoff: { retriesMax: RETRIES_MAX } });
  const enqueueOwner = ({ object }: { readonly object: KubernetesObject }): void => {
    const owner = getControllerOf(object);
    if (owner?.kind === "App") queue.add(keyOf({ metadata: { ...object.metadata, name: owner.name } }));
  };
  apps.subscribe(({ key }) => queue.add(key));
  deployments.subscribe(enqueueOwner);
  services.subscribe(enqueueOwner);

  const sync = createSync({ ...ports, client, events, apps, deployments, services });
  const handle = async ({ key }: QueueItem<string>): Promise<void> => {
    try {
      await sync(key);
      queue.forget(key);
    } catch (error) {
      if (!queue.retry(key, { reason: String(error) })) {
        ports.log.error("gave up on an App until it changes", { key, error });
        queue.forget(key);
      }
    }
    queue.done(key);
  };
  const work = async (): Promise<void> => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) await handle(item);
  };

  for (const informer of informers) informer.start();
  await Promise.all(informers.map((informer) => informer.whenSynced()));
  const workers = Array.from({ length: WORKERS }, work);
  return {
    get idle() {
      return queue.idle;
    },
    async stop() {
      queue.close();
      await Promise.all(workers);
      await Promise.all(informers.map((informer) => informer.stop()));
      await events.flush();
    },
  };
}
