/**
 * The simulated kubelets of all nodes: bound pods run as their scripts say (script.ts), and deleted ones go away when
 * their grace period allows. pod-lifecycle.ts decides what the status is; this writes it and records the events.
 */
import {
  ConfigMap,
  type ContainerStatus,
  Node,
  PersistentVolumeClaim,
  Pod,
  type PodStatus,
  Secret,
} from "@kubewright/api/core/v1";
import { deepEqual, type KubernetesObject } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import {
  after,
  type CacheReader,
  type Client,
  type Controller,
  defineController,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type WatchContext,
  watch,
} from "@kubewright/runtime";
import { addressOfNode, isNodeUnreachable, podsOn } from "../nodes.ts";
import { isPodFinished } from "../workload/pod-state.ts";
import { Holds } from "./holds.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { podAt, stoppedAt, stoppedStatus } from "./pod-lifecycle.ts";
import type { ContainerScript } from "./script.ts";
import { eventsOf, pathOfContainer } from "./status-events.ts";
import { cannotMount, type FindKeys, type Sources, type UnmetNeeds, unmetNeeds } from "./unmet-needs.ts";

/** The name of the kubelets among the controllers of a cluster. */
export const KUBELET = "kubelet";

/** How simulated pods behave. */
export interface KubeletOptions {
  /** The first script that matches a container counts. @default [] */
  readonly scripts?: readonly ContainerScript[];
}

/** The kubelets of all nodes, as one controller. */
export function createKubelet(options: KubeletOptions = {}): Controller<Pod> {
  const addresses = new PodAddresses();
  const holds = new Holds();
  /** Pods whose containers were told to stop, by uid. */
  const stopping = new Set<string>();
  const scripts = options.scripts ?? [];
  return defineController<Pod>({
    name: KUBELET,
    for: Pod,
    watches: [
      watch(ConfigMap, { map: podsHeldBack }),
      watch(Secret, { map: podsHeldBack }),
      watch(PersistentVolumeClaim, { map: podsHeldBack }),
      watch(Node, {
        predicate: ({ object, previous }) => isNodeUnreachable(previous) && !isNodeUnreachable(object),
        map: podsOn,
      }),
    ],
    reconcilesDeleting: true,
    skipsOwnWrites: true,
    predicate: ({ type, object }) => {
      if (type === "deleted") {
        addresses.release(object.metadata?.uid ?? "");
        holds.release(object.metadata?.uid ?? "");
        stopping.delete(object.metadata?.uid ?? "");
      }
      // What has ended stays as it is until it is deleted.
      const isAtRest = isPodFinished(object) && object.metadata?.deletionTimestamp === undefined;
      return Boolean(object.spec?.nodeName) && !isAtRest;
    },
    async reconcile(pod, context) {
      if (!pod.spec?.nodeName) return undefined;
      const node = context.cache.get(Node, pod.spec.nodeName);
      if (isNodeUnreachable(node)) return undefined; // Until it is back.
      const now = context.clock.now();
      if (pod.metadata?.deletionTimestamp !== undefined) {
        if (!isPodFinished(pod) && !stopping.has(pod.metadata.uid ?? "")) tellStopping(pod, context);
        stopping.add(pod.metadata.uid ?? "");
        return remove(pod, stoppedAt(pod, scripts), context);
      }
      if (isPodFinished(pod)) return undefined;
      const needs = unmetNeeds(pod, sourcesIn(context.cache));
      const place = {
        hostIP: addressOfNode(node) ?? HOST_IP,
        podIP: addresses.addressOf(pod.metadata?.uid ?? "", pod.status?.podIP),
        holds: holds.update(pod, needs, now),
      };
      const { status, changesAt } = podAt(pod, scripts, place, now);
      tellUnmounted(pod, needs, context);
      await writePodStatus(pod, withConfigErrors(status, needs), context);
      return changesAt === undefined ? undefined : after(Math.max(0, changesAt - now));
    },
  });
}

/** The address of a node that somebody made without one. */
const HOST_IP = "10.1.255.254";

/** Pods wait for ConfigMaps, Secrets and claims only before their containers have started. */
function podsHeldBack(object: KubernetesObject, { cache }: WatchContext): readonly ObjectKey[] {
  const { namespace } = object.metadata ?? {};
  return cache
    .list(Pod, { namespace })
    .filter(({ spec, status }) => Boolean(spec?.nodeName) && status?.phase === "Pending")
    .map(({ metadata }) => ({ name: metadata?.name ?? "", namespace }));
}

function sourcesIn(cache: CacheReader): Sources {
  const find: FindKeys = (kind, name) => {
    if (kind === "secret") {
      const secret = cache.get(Secret, name);
      return secret && new Set(Object.keys(secret.data ?? {}));
    }
    const map = cache.get(ConfigMap, name);
    return map && new Set([...Object.keys(map.data ?? {}), ...Object.keys(map.binaryData ?? {})]);
  };
  return { find, claim: (name) => cache.get(PersistentVolumeClaim, name) };
}

function tellUnmounted(pod: Pod, { volumes, claims }: UnmetNeeds, { events }: ReconcileContext): void {
  if (pod.status?.phase === "Running") return;
  if (claims.length > 0) {
    const names = claims.map(({ volume }) => volume).join(" ");
    const where = `unmounted volumes=[${names}], unattached volumes=[], failed to process volumes=[${names}]`;
    const problems = claims.map(({ problem }) => problem).join("; ");
    events.warning("FailedMount", `Unable to attach or mount volumes: ${where}: ${problems}`);
  }
  for (const { volume, problem } of volumes) {
    events.warning("FailedMount", `MountVolume.SetUp failed for volume ${JSON.stringify(volume)} : ${problem}`);
  }
}

/** Containers that cannot be configured say so while they wait to be made. */
function withConfigErrors(status: PodStatus, needs: UnmetNeeds): PodStatus {
  const { containers } = needs;
  if (cannotMount(needs) || containers.size === 0) return status;
  const told = (each: ContainerStatus): ContainerStatus => {
    const message = containers.get(each.name);
    if (message === undefined || each.state?.waiting?.reason !== "ContainerCreating") return each;
    return { ...each, state: { waiting: { reason: "CreateContainerConfigError", message } } };
  };
  const { initContainerStatuses, containerStatuses = [] } = status;
  return {
    ...status,
    ...(initContainerStatuses === undefined ? {} : { initContainerStatuses: initContainerStatuses.map(told) }),
    containerStatuses: containerStatuses.map(told),
  };
}

async function writePodStatus(pod: Pod, status: PodStatus, { client, events }: ReconcileContext): Promise<void> {
  if (saysTheSame(pod.status, status)) return;
  await replaceStatus(pod, status, client);
  for (const { reason, note, type, fieldPath } of eventsOf(pod, status)) events[type](reason, note, { fieldPath });
}

/** Conditions that others wrote after this state of the pod would be lost with it: the server refuses that, and it is tried again. */
async function replaceStatus(pod: Pod, status: PodStatus, client: Client): Promise<void> {
  const { uid, resourceVersion } = pod.metadata ?? {};
  const merge = { metadata: { uid, resourceVersion }, status };
  await client.patch(Pod, pod, { merge }, { subresource: "status" });
}

/** Conditions are stored with a null for the time of a probe that never was. */
function saysTheSame(stored: PodStatus = {}, status: PodStatus): boolean {
  if (stored.phase !== status.phase || stored.startTime !== status.startTime) return false;
  return deepEqual(withoutNulls(stored), withoutNulls(status));
}

function withoutNulls(status: PodStatus): unknown {
  return JSON.parse(JSON.stringify(status, (_key, value: unknown) => (value === null ? undefined : value)));
}

function tellStopping(pod: Pod, { events }: ReconcileContext): void {
  for (const { name } of pod.spec?.containers ?? []) {
    events.normal("Killing", `Stopping container ${name}`, { fieldPath: pathOfContainer(pod, name) });
  }
}

/**
 * Containers of simulated pods are told to stop and end when they have: the status says so, then a deletion without grace
 * removes the object. Finalizers may keep it longer; there is nothing left to do for a kubelet then.
 */
async function remove(pod: Pod, stoppedAtMs: number, { client, clock }: ReconcileContext): Promise<Outcome> {
  if (isPodFinished(pod) && pod.metadata?.deletionGracePeriodSeconds === 0) return undefined;
  const now = clock.now();
  if (!isPodFinished(pod) && now < stoppedAtMs) return after(stoppedAtMs - now);
  try {
    if (!isPodFinished(pod)) await replaceStatus(pod, stoppedStatus(pod, now), client);
    await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}
