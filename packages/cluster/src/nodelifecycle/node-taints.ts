/**
 * The taints that a node has because of its state: cordoned, not ready, unreachable, short of something. Others on it are
 * somebody's own. Pure; controller.ts writes them.
 */
import type { Node, Taint } from "@kubewright/api/core/v1";
import { UNSCHEDULABLE } from "../scheduler/node-selection.ts";

const PREFIX = "node.kubernetes.io/";

/** Taint keys by condition and its status. */
const keysByCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: `${PREFIX}not-ready`, Unknown: `${PREFIX}unreachable` },
  MemoryPressure: { True: `${PREFIX}memory-pressure` },
  DiskPressure: { True: `${PREFIX}disk-pressure` },
  NetworkUnavailable: { True: `${PREFIX}network-unavailable` },
  PIDPressure: { True: `${PREFIX}pid-pressure` },
};
const readyKeys: readonly string[] = Object.values(keysByCondition["Ready"] ?? {});
const keepingAway = new Set([UNSCHEDULABLE, ...Object.values(keysByCondition).flatMap((keys) => Object.values(keys))]);

/** The node with the taints that it should have; the same node when it has them. */
export function withStateTaints(node: Node, timeAdded: string): Node {
  const before = node.spec?.taints ?? [];
  const wanted = stateTaints(node);
  const kept = before.filter((taint) => !isOfState(taint) || wanted.some((each) => isSame(each, taint)));
  const added = wanted.filter((taint) => !before.some((each) => isSame(each, taint)));
  if (added.length === 0 && kept.length === before.length) return node;
  return { ...node, spec: { ...node.spec, taints: [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))] } };
}

function stateTaints({ spec, status }: Node): readonly Taint[] {
  const keys = (status?.conditions ?? []).flatMap((condition) => {
    const key = keysByCondition[condition.type]?.[condition.status];
    return key === undefined ? [] : [key];
  });
  const all = spec?.unschedulable ? [...keys, UNSCHEDULABLE] : keys;
  return [
    ...all.map((key): Taint => ({ key, effect: "NoSchedule" })),
    ...keys.filter((key) => readyKeys.includes(key)).map((key): Taint => ({ key, effect: "NoExecute" })),
  ];
}

function isOfState({ key, effect }: Taint): boolean {
  return effect === "NoSchedule" ? keepingAway.has(key) : effect === "NoExecute" && readyKeys.includes(key);
}

function isSame(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect;
}
