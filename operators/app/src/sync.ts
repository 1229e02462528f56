/**
 * One sync of an App by hand: creates what is missing, corrects what differs, refuses what is somebody else's, and
 * reports. Reads come from the informers' stores; nothing is sent when nothing differs. program.ts calls it.
 */
import {
  type Client,
  type Clock,
  deepEqual,
  type EventRecorder,
  type Informer,
  isAlreadyExists,
  isControlledBy,
  type KubernetesObject,
  keyOf,
  type ResourceDefinition,
  rolloutConditions,
  setController,
  writeStatus,
} from "kubewright";
import { Deployment } from "kubewright/apps/v1";
import { Service } from "kubewright/core/v1";
import { App } from "./api/v1/app.ts";
import { deploymentFor, serviceFor } from "./children.ts";

/** What a sync works with. */
export interface SyncPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly apps: Informer<App>;
  readonly deployments: Informer<Deployment>;
  readonly services: Informer<Service>;
}

/** A function that makes the world match the App with a key. */
export function createSync(ports: SyncPorts): (key: string) => Promise<void> {
  return async (key) => {
    const app = ports.apps.store.get(key);
    if (app === undefined || app.metadata.deletionTimestamp !== undefined) return;
    const problems: Error[] = [];
    const attempt = async <Kind extends KubernetesObject>(child: Child<Kind>): Promise<Kept<Kind> | undefined> => {
      try {
        return await keep(app, child, ports);
      } catch (error) {
        problems.push(error instanceof Error ? error : new Error(String(error)));
        return undefined;
      }
    };
    const deployment = await attempt({
      definition: Deployment,
      informer: ports.deployments,
      wanted: deploymentFor(app),
      same: (found, wanted) =>
        found.spec?.replicas === wanted.spec?.replicas &&
        found.spec?.template.spec?.containers[0]?.image === wanted.spec?.template.spec?.containers[0]?.image,
    });
    const service = await attempt({
      definition: Service,
      informer: ports.services,
      wanted: serviceFor(app),
      same: (found, wanted) =>
        found.spec?.ports?.[0]?.port === wanted.spec?.ports?.[0]?.port &&
        deepEqual(found.spec?.selector, wanted.spec?.selector),
    });
    const availableReplicas = deployment?.object.status?.availableReplicas ?? 0;
    const conditions = rolloutConditions(deployment?.object, problems);
    await writeStatus(App, app, { availableReplicas, conditions }, ports);
    if (problems.length > 0) throw new AggregateError(problems, problems.map(({ message }) => message).join("; "));
    if (deployment?.written === true || service?.written === true)
      ports.events.record({ type: "Normal", regarding: app, reason: "Synced", note: "App synced successfully" });
  };
}

/** One object that an App wants, and how to tell that it is as wanted. */
interface Child<Kind extends KubernetesObject> {
  readonly definition: ResourceDefinition<Kind, Kind>;
  readonly informer: Informer<Kind>;
  readonly wanted: Kind;
  same(found: Kind, wanted: Kind): boolean;
}

/** The object as it is now, and whether it took a request to make it so. */
interface Kept<Kind> {
  readonly object: Kind;
  readonly written: boolean;
}

async function keep<Kind extends KubernetesObject>(
  app: App,
  child: Child<Kind>,
  { client, events }: SyncPorts,
): Promise<Kept<Kind>> {
  const { definition, informer } = child;
  const placed = { ...child.wanted, metadata: { ...child.wanted.metadata, namespace: app.metadata.namespace } };
  const wanted = setController(placed as Kind, app);
  const refuse = (): never => {
    const note = `Resource "${wanted.metadata?.name}" already exists and is not managed by App`;
    events.record({ type: "Warning", regarding: app, reason: "ErrResourceExists", note });
    throw new Error(note);
  };
  const found = informer.store.get(keyOf(wanted));
  if (found !== undefined && !isControlledBy(found, app)) refuse();
  if (found !== undefined && child.same(found, wanted)) return { object: found, written: false };
  try {
    const object =
      found === undefined
        ? await client.create(definition, wanted)
        : await client.patch(definition, found, { merge: wanted });
    return { object, written: true };
  } catch (error) {
    if (isAlreadyExists(error)) refuse();
    throw error;
  }
}
