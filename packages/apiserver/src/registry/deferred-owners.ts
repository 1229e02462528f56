/**
 * Owners of an object's fields that nobody has asked for yet. A write is remembered until somebody does; most objects are gone
 * before anybody reads their managedFields. Always holds: what is remembered is bounded, and forgotten once it is told.
 */
import { type TrackOptions, trackWrites } from "@kubewright/core/patch";
import type { FieldOwners } from "../storage/storage.ts";

/** How many writes in a row are remembered: each keeps the object that it began with. */
const PENDING_MAX = 16;

/** Who owns what after a write, worked out from who did before it. */
export class DeferredOwners implements FieldOwners {
  #before: FieldOwners | undefined;
  #write: (() => TrackOptions) | undefined;
  #told: FieldOwners["managedFields"];
  /** How many writes have to be looked at. */
  #pending: number;

  /** `write` tells of objects without managedFields. */
  constructor(before: FieldOwners | undefined, write: () => TrackOptions) {
    this.#before = before;
    this.#write = write;
    this.#pending = (before instanceof DeferredOwners ? before.#pending : 0) + 1;
    if (this.#pending > PENDING_MAX) void this.managedFields;
  }

  get managedFields(): FieldOwners["managedFields"] {
    if (this.#write !== undefined) {
      const { first, writes } = this.#remembered();
      this.#told = trackWrites(first?.managedFields, writes);
      this.#write = undefined;
      this.#before = undefined;
      this.#pending = 0;
    }
    return this.#told;
  }

  /** The last owners that are known, and the writes since then. */
  #remembered(): { readonly first: FieldOwners | undefined; readonly writes: readonly TrackOptions[] } {
    const writes: TrackOptions[] = [];
    let owners: FieldOwners | undefined = this;
    while (owners instanceof DeferredOwners && owners.#write !== undefined) {
      writes.push(owners.#write());
      owners = owners.#before;
    }
    return { first: owners, writes: writes.reverse() };
  }
}
