/**
 * What the pods on each node take, kept up to date pod by pod, so that placing a pod does not mean adding up all others.
 * scheduler.ts tells it of every change and of its own decisions; choose-node.ts asks it. Always holds: a pod counts on
 * one node at most.
 */
import type { Node, Pod } from "@kubewright/api/core/v1";
import { isPodFinished } from "../workload/pod-state.ts";
import { repulsionsOf } from "./pod-affinity.ts";
import { type Amounts, amountsOf, requestsOf } from "./resources.ts";
import type { PlacedPod } from "./surroundings.ts";

/** A node, what it offers and what is taken of it. */
export interface NodeLoad {
  readonly node: Node;
  readonly offered: Amounts;
  readonly used: Amounts;
  readonly pods: number;
}

interface Placed extends PlacedPod {
  readonly requests: Amounts;
}

const nothing: Amounts = new Map();

/** Counts pods by node. */
export class NodeLedger {
  readonly #byPod = new Map<string, Placed>();
  /** Those that keep other pods away: few, and every other pod has to know of them. */
  readonly #repelling = new Map<string, PlacedPod>();
  readonly #byNode = new Map<string, { pods: number; readonly used: Map<string, bigint> }>();
  readonly #offers = new WeakMap<Node, Amounts>();

  /** Takes the newest state of a pod: where it is, and whether it still counts. */
  note(pod: Pod, gone: boolean): void {
    const uid = pod.metadata?.uid ?? "";
    const node = gone || isPodFinished(pod) ? undefined : pod.spec?.nodeName;
    const before = this.#byPod.get(uid);
    if (before !== undefined && before.node === node) this.#byPod.set(uid, { ...before, pod });
    if (before?.node === node) return;
    this.#remove(uid);
    if (node) this.place(pod, node);
  }

  /** Counts a pod on a node that it was just given. */
  place(pod: Pod, node: string): void {
    const uid = pod.metadata?.uid ?? "";
    this.#remove(uid);
    const requests = requestsOf(pod);
    this.#byPod.set(uid, { node, pod, requests });
    if (repulsionsOf(pod).length > 0) this.#repelling.set(uid, { node, pod });
    this.#add(node, requests, 1);
  }

  /** All pods that count. */
  placed(): Iterable<PlacedPod> {
    return this.#byPod.values();
  }

  /** The pods that keep others away. */
  repelling(): Iterable<PlacedPod> {
    return this.#repelling.values();
  }

  /** The load of a node. */
  loadOf(node: Node): NodeLoad {
    const entry = this.#byNode.get(node.metadata?.name ?? "");
    const offered = this.#offers.get(node) ?? amountsOf(node.status?.allocatable);
    this.#offers.set(node, offered);
    return { node, offered, used: entry?.used ?? nothing, pods: entry?.pods ?? 0 };
  }

  #remove(uid: string): void {
    const placed = this.#byPod.get(uid);
    if (placed === undefined) return;
    this.#byPod.delete(uid);
    this.#repelling.delete(uid);
    this.#add(placed.node, placed.requests, -1);
  }

  #add(node: string, requests: Amounts, sign: 1 | -1): void {
    const entry = this.#byNode.get(node) ?? { pods: 0, used: new Map<string, bigint>() };
    entry.pods += sign;
    for (const [name, amount] of requests) {
      entry.used.set(name, (entry.used.get(name) ?? 0n) + BigInt(sign) * amount);
    }
    if (entry.pods === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, entry);
  }
}
