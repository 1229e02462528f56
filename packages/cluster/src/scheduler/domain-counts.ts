/** How many pods, or how much of anything, each domain of each topology key has. Nodes without the label belong to no domain. */
import type { Node } from "@kubewright/api/core/v1";

/** Counts by topology key and domain. */
export class DomainCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** How many topology keys have any count. */
  get size(): number {
    return this.#counts.size;
  }

  /** Counts pods in the domain of a node; zero of them makes the domain known. */
  add(topologyKey: string, node: Node | undefined, pods: number = 1): void {
    const domain = node?.metadata?.labels?.[topologyKey];
    if (domain === undefined) return;
    const domains = this.#counts.get(topologyKey) ?? new Map<string, number>();
    domains.set(domain, (domains.get(domain) ?? 0) + pods);
    this.#counts.set(topologyKey, domains);
  }

  /** The count in the domain of a node. */
  of(topologyKey: string, node: Node): number {
    return this.#counts.get(topologyKey)?.get(node.metadata?.labels?.[topologyKey] ?? "") ?? 0;
  }

  /** The counts of all known domains of a key. */
  all(topologyKey: string): readonly number[] {
    return [...(this.#counts.get(topologyKey)?.values() ?? [])];
  }

  /** The counts in all domains of a node together. */
  sum(node: Node): number {
    return this.#counts.keys().reduce((total, topologyKey) => total + this.of(topologyKey, node), 0);
  }

  /** True when a node is in any domain with a count. */
  touches(node: Node): boolean {
    return [...this.#counts.keys()].some((topologyKey) => this.of(topologyKey, node) > 0);
  }
}
