/**
 * The App's controller by hand, as Kubernetes' sample-controller does it: informers and their stores, a work queue, workers and an event
 * recorder, without a manager.
 */
import { Deployment } from "@kubewright/api/apps/v1";
import { getControllerOf, isControlledBy, setController } from "@kubewright/core/meta";
import { type Clock, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import { createClient, createEventRecorder, Informer, keyOf, type QueueItem, WorkQueue } from "@kubewright/runtime";
import { App, deploymentFor } from "./app.ts";

const WORKERS = 2;
const RETRIES_MAX = 15;

/** What the program runs with. */
export interface ProgramPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

/** A program that runs. */
export interface AppProgram {
  readonly idle: boolean;
  stop(): Promise<void>;
}

/** Starts informers and workers. */
export async function startAppProgram({ transport, clock, random }: ProgramPorts): Promise<AppProgram> {
  const client = createClient({
    transport,
    onWritten: ({ definition, object }) => (definition === App ? apps : deployments).observeWritten(object),
  });
  const ports = { client, clock, random, log: silentLogger };
  const apps = new Informer({ ...ports, definition: App });
  const deployments = new Informer({ ...ports, definition: Deployment });
  const events = createEventRecorder({ ...ports, controller: "app-program" });
  const queue = new WorkQueue({ clock, random, backoff: { retriesMax: RETRIES_MAX } });
  apps.subscribe(({ key }) => queue.add(key));
  deployments.subscribe(({ object }) => {
    const owner = getControllerOf(object);
    if (owner?.kind === "App") queue.add(keyOf({ metadata: { ...object.metadata, name: owner.name } }));
  });

  const sync = async (key: string): Promise<void> => {
    const app = apps.store.get(key);
    if (app === undefined) return;
    const wanted = setController(inNamespaceOf(app, deploymentFor(app)), app);
    const found = deployments.store.get(keyOf(wanted));
    if (found !== undefined && !isControlledBy(found, app)) {
      const note = `Resource "${found.metadata?.name}" already exists and is not managed by App`;
      events.record({ type: "Warning", regarding: app, reason: "ErrResourceExists", note });
      throw new Error(note);
    }
    const deployment = found ?? (await client.create(Deployment, wanted));
    if (deployment.spec?.replicas !== app.spec.replicas) {
      await client.patch(Deployment, deployment, { merge: { spec: { replicas: app.spec.replicas } } });
    }
    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    const status = { availableReplicas, observedGeneration: app.metadata.generation };
    if (
      app.status?.availableReplicas === availableReplicas &&
      app.status.observedGeneration === status.observedGeneration
    )
      return;
    await client.patch(App, app, { merge: { status } }, { subresource: "status" });
  };
  const work = async (): Promise<void> => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) await handle(item);
  };
  const handle = async ({ key }: QueueItem<string>): Promise<void> => {
    try {
      await sync(key);
      queue.forget(key);
    } catch (error) {
      if (!queue.retry(key, { reason: String(error) })) queue.forget(key);
    }
    queue.done(key);
  };

  apps.start();
  deployments.start();
  await Promise.all([apps.whenSynced(), deployments.whenSynced()]);
  const workers = Array.from({ length: WORKERS }, work);
  return {
    get idle() {
      return queue.idle;
    },
    async stop() {
      queue.close();
      await Promise.all([...workers, apps.stop(), deployments.stop()]);
      await events.flush();
    },
  };
}

function inNamespaceOf(app: App, deployment: Deployment): Deployment {
  return { ...deployment, metadata: { ...deployment.metadata, namespace: app.metadata.namespace ?? "default" } };
}
