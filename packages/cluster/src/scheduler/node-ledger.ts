/**
 * What the pods on each node take, kept up to date pod by pod, so that placing a pod does not mean adding up all others.
 * scheduler.ts tells it of every change and of its own decisions; choose-node.ts asks it. Always holds: a pod counts on
 * one node at most.
 */
import type { Node, Pod } from "@kubewright/api/core/v1";
import { isPodFinished } from "../workload/pod-state.ts";
import { hostPortsOf } from "./host-ports.ts";
import { attracts, repulsionsOf } from "./pod-affinity.ts";
import { type Amounts, amountsOf, requestsOf, sumOf } from "./resources.ts";
import type { PlacedPod } from "./surroundings.ts";

/** A node, what it offers and what is taken of it. */
export interface NodeLoad {
  readonly node: Node;
  readonly offered: Amounts;
  readonly used: Amounts;
  readonly pods: number;
  /** Those of its pods that have ports of the node. */
  readonly hosting: readonly PlacedPod[];
}

interface Placed extends PlacedPod {
  readonly requests: Amounts;
}

const nothing: Amounts = new Map();

/** Counts pods by node. */
export class NodeLedger {
  readonly #byPod = new Map<string, Placed>();
  /** Pods for which others had to go. */
  readonly #nominated = new Map<string, PlacedPod>();
  /** Those that keep other pods away: few, and every other pod has to know of them. */
  readonly #repelling = new Map<string, PlacedPod>();
  /** Those that would have others near, or rather not: few as well. */
  readonly #attracting = new Map<string, PlacedPod>();
  /** Those that have ports of their node: few again. */
  readonly #hosting = new Map<string, PlacedPod>();
  readonly #byNode = new Map<string, { pods: number; readonly used: Map<string, bigint> }>();
  readonly #offers = new WeakMap<Node, Amounts>();

  /** Takes the newest state of a pod: where it is, and whether it still counts. */
  note(pod: Pod, gone: boolean): void {
    const uid = pod.metadata?.uid ?? "";
    const node = gone || isPodFinished(pod) ? undefined : pod.spec?.nodeName;
    if (gone || node) this.#nominated.delete(uid);
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
    this.#nominated.delete(uid);
    const requests = requestsOf(pod);
    this.#byPod.set(uid, { node, pod, requests });
    if (repulsionsOf(pod).length > 0) this.#repelling.set(uid, { node, pod });
    if (attracts(pod)) this.#attracting.set(uid, { node, pod });
    if (hostPortsOf(pod).length > 0) this.#hosting.set(uid, { node, pod });
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

  /** The pods that would have others near, or rather not. */
  attracting(): Iterable<PlacedPod> {
    return this.#attracting.values();
  }

  /** Keeps room on a node, for which others had to go, until the pod is placed or gone. */
  nominate(pod: Pod, node: string): void {
    this.#nominated.set(pod.metadata?.uid ?? "", { pod, node });
  }

  /** The node on which room is kept for the pod. */
  nominationOf({ metadata }: Pod): string | undefined {
    return this.#nominated.get(metadata?.uid ?? "")?.node;
  }

  /** The load of a node as `pod` finds it: what is kept for a pod as important as it counts as taken. */
  loadOf(node: Node, pod: Pod): NodeLoad {
    const name = node.metadata?.name ?? "";
    const entry = this.#byNode.get(name);
    const offered = this.#offers.get(node) ?? amountsOf(node.status?.allocatable);
    this.#offers.set(node, offered);
    const rivals = this.rivalsOf(pod).filter((each) => each.node === name);
    const used = withRivals(entry?.used ?? nothing, rivals);
    return { node, offered, used, pods: entry?.pods ?? 0, hosting: this.#hostingOn(name, rivals) };
  }

  /** The pods for which room is kept that `pod` may not take: they are at least as important. */
  rivalsOf(pod: Pod): readonly PlacedPod[] {
    if (this.#nominated.size === 0) return [];
    const priority = pod.spec?.priority ?? 0;
    return [...this.#nominated.values()].filter(
      (each) => each.pod.metadata?.uid !== pod.metadata?.uid && (each.pod.spec?.priority ?? 0) >= priority,
    );
  }

  #hostingOn(node: string, rivals: readonly PlacedPod[]): readonly PlacedPod[] {
    if (this.#hosting.size === 0) return rivals;
    return [...rivals, ...[...this.#hosting.values()].filter((each) => each.node === node)];
  }

  #remove(uid: string): void {
    const placed = this.#byPod.get(uid);
    if (placed === undefined) return;
    this.#byPod.delete(uid);
    this.#repelling.delete(uid);
    this.#attracting.delete(uid);
    this.#hosting.delete(uid);
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

/** What is taken together with what is kept for others. */
function withRivals(used: Amounts, rivals: readonly PlacedPod[]): Amounts {
  return rivals.length === 0 ? used : sumOf([used, ...rivals.map(({ pod }) => requestsOf(pod))]);
}
