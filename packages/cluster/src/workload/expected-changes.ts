/**
 * Changes that a controller causes itself and takes into account at once: when they are told there is nothing left to look at. What never
 * comes is forgotten some day; then something is looked at once more.
 */
import type { InformerEvent } from "@kubewright/runtime";

/** How many changes are expected at once. */
const EXPECTED_MAX = 10_000;

type Change = Pick<InformerEvent, "type" | "key">;

/** Changes that are still to be told. */
export class ExpectedChanges {
  readonly #changes = new Set<string>();

  /** A change is about to be made. */
  expect(change: Change): void {
    if (this.#changes.size >= EXPECTED_MAX) this.#changes.clear();
    this.#changes.add(nameOf(change));
  }

  /** True when the change was expected; from now on it is not. */
  take(change: Change): boolean {
    return this.#changes.size > 0 && this.#changes.delete(nameOf(change));
  }
}

function nameOf({ type, key }: Change): string {
  return `${type} ${key}`;
}
