/** The conditions of a simulated pod, in a kubelet's words. Pure; pod-lifecycle.ts knows the containers that they tell of. */
import type { Container, Pod, PodCondition, PodStatus } from "@kubewright/api/core/v1";
import { formatTime } from "@kubewright/core/meta";
import type { ContainerMoment } from "./container-timeline.ts";
import { isSidecar } from "./script.ts";

/** A container at one moment. */
export interface Timed {
  readonly container: Container;
  readonly moment: ContainerMoment;
}

/** How far the init containers of a pod are. */
export interface InitProgress {
  readonly moments: readonly Timed[];
  /** When the last init container ended well; undefined while they have not. */
  readonly doneAt: number | undefined;
  readonly failed: boolean;
}

/** What the conditions are made from. */
export interface ConditionInput {
  readonly init: InitProgress;
  readonly containers: readonly Timed[];
  readonly phase: NonNullable<PodStatus["phase"]>;
  /** The pod has a network. */
  readonly isUp: boolean;
  readonly now: number;
}

/** A condition without the time of its last transition. */
type Stated = Omit<PodCondition, "lastTransitionTime">;

/** The conditions of the pod; those of others stay. */
export function conditionsAt(pod: Pod, input: ConditionInput): PodCondition[] {
  const { phase, isUp, now } = input;
  const isEnded = phase === "Succeeded" || phase === "Failed";
  const containersReady = containersReadiness(input);
  const own: readonly Stated[] = [
    { type: "PodReadyToStartContainers", status: isUp && !isEnded ? "True" : "False" },
    initialized(input),
    readiness(pod, containersReady),
    { ...containersReady, type: "ContainersReady" },
    { type: "PodScheduled", status: "True" },
  ];
  const names = new Set(own.map(({ type }) => type));
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !names.has(type));
  return [...own.map((condition) => dated(condition, pod, now)), ...foreign];
}

/** The conditions of a pod whose containers were stopped: nothing of it is ready any more. */
export function unreadyConditions(pod: Pod, reason: string, now: number): PodCondition[] {
  return (pod.status?.conditions ?? []).map(({ message, ...condition }): PodCondition => {
    const tellsReadiness = condition.type === "Ready" || condition.type === "ContainersReady";
    if (!tellsReadiness) return { ...condition, ...(message === undefined ? {} : { message }) };
    return dated({ ...condition, status: "False", reason }, pod, now);
  });
}

type Readiness = Omit<Stated, "type">;

function containersReadiness({ init, containers, phase }: ConditionInput): Readiness {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const sidecars = init.moments.filter(({ container }) => isSidecar(container));
  const unready = [...sidecars, ...containers].filter(({ moment }) => !moment.ready);
  if (unready.length === 0) return { status: "True" };
  return {
    status: "False",
    reason: "ContainersNotReady",
    message: `containers with unready status: ${namesOf(unready)}`,
  };
}

/** Ready as its containers are, unless a gate is closed. */
function readiness(pod: Pod, containersReady: Readiness): Stated {
  const closed = containersReady.status === "True" ? closedGates(pod) : [];
  if (closed.length === 0) return { ...containersReady, type: "Ready" };
  return { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message: closed.join(", ") };
}

function closedGates({ spec, status }: Pod): readonly string[] {
  return (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    const gate = `pod readiness gate ${JSON.stringify(conditionType)}`;
    if (condition === undefined) return [`corresponding condition of ${gate} does not exist.`];
    return condition.status === "True" ? [] : [`the status of ${gate} is not "True", but ${condition.status}`];
  });
}

function initialized({ init, phase }: ConditionInput): Stated {
  if (phase === "Succeeded") return { type: "Initialized", status: "True", reason: "PodCompleted" };
  if (init.doneAt !== undefined) return { type: "Initialized", status: "True" };
  const incomplete = init.moments.filter(({ container, moment }) =>
    isSidecar(container) ? !moment.started : !moment.ready,
  );
  const message = `containers with incomplete status: ${namesOf(incomplete)}`;
  return { type: "Initialized", status: "False", reason: "ContainersNotInitialized", message };
}

function namesOf(containers: readonly Timed[]): string {
  return `[${containers.map(({ container }) => container.name).join(" ")}]`;
}

/** The transition time flips with the status only. */
function dated(condition: Stated, { metadata, status }: Pod, now: number): PodCondition {
  const known = status?.conditions?.find(({ type }) => type === condition.type);
  const time = known?.status === condition.status ? known.lastTransitionTime : undefined;
  const { type, status: state, ...why } = condition;
  return {
    type,
    observedGeneration: metadata?.generation ?? 1,
    status: state,
    lastTransitionTime: time ?? formatTime(now),
    ...why,
  };
}
