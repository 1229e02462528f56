/**
 * Owners of an object's fields that nobody has asked for yet. A write remembers what it needs to tell them; most objects are
 * gone before anybody reads their managedFields. Always holds: what is remembered is bounded, and forgotten once it is told.
 */
import type { JsonObject } from "@kubewright/core/meta";
import type { FieldOwners } from "../storage/storage.ts";

type ManagedFields = readonly JsonObject[] | undefined;

/** How many writes in a row leave it to later: each keeps the object that it began with. */
const PENDING_MAX = 16;

/** Who owns what after a write, worked out from who did before it. */
export class DeferredOwners implements FieldOwners {
  #before: FieldOwners | undefined;
  #track: ((before: ManagedFields) => ManagedFields) | undefined;
  #told: ManagedFields;
  /** How many writes have to be looked at. */
  #pending: number;

  constructor(before: FieldOwners | undefined, track: (before: ManagedFields) => ManagedFields) {
    this.#before = before;
    this.#track = track;
    this.#pending = (before instanceof DeferredOwners ? before.#pending : 0) + 1;
    if (this.#pending > PENDING_MAX) void this.managedFields;
  }

  get managedFields(): ManagedFields {
    if (this.#track !== undefined) {
      this.#told = this.#track(this.#before?.managedFields);
      this.#track = undefined;
      this.#before = undefined;
      this.#pending = 0;
    }
    return this.#told;
  }
}
