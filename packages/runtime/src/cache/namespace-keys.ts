/** Keys by namespace, for readers that ask for one. Kept from the first time that somebody does: the keys themselves tell it. */
import { parseKey } from "./object-key.ts";

/** The keys of a store by namespace. */
export class NamespaceKeys {
  #namespaces: Map<string, Set<string>> | undefined;

  /** Those of `all` keys, which are the ones that were added, in one namespace. */
  keys(namespace: string, all: Iterable<string>): Iterable<string> {
    if (this.#namespaces === undefined) {
      this.#namespaces = new Map();
      for (const key of all) this.add(key);
    }
    return this.#namespaces.get(namespace) ?? [];
  }

  /** A key came. */
  add(key: string): void {
    if (this.#namespaces === undefined) return;
    const { namespace = "" } = parseKey(key);
    const keys = this.#namespaces.get(namespace);
    if (keys === undefined) this.#namespaces.set(namespace, new Set([key]));
    else keys.add(key);
  }

  /** A key is gone. */
  remove(key: string): void {
    if (this.#namespaces === undefined) return;
    const { namespace = "" } = parseKey(key);
    const keys = this.#namespaces.get(namespace);
    keys?.delete(key);
    if (keys?.size === 0) this.#namespaces.delete(namespace);
  }
}
