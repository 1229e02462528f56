/**
 * The index that every store has: from the uid of a controlling owner to the keys of what it owns. The store remembers the owner of each object,
 * so that nothing has to be decoded when an object changes or goes.
 */
import { getControllerOf, type ObjectIdentity } from "@kubewright/core/meta";
import { KeyTable } from "./key-table.ts";

/** The uid of the controlling owner. */
export function ownerUid(metadata: ObjectIdentity): string | undefined {
  return getControllerOf({ metadata })?.uid;
}

/** Keys by the uid of their controlling owner. */
export class OwnerIndex extends KeyTable {
  /** The object under `key` had the owner `before` and has the owner `after`. */
  move(key: string, before: string | undefined, after: string | undefined): void {
    if (before !== after) {
      if (before !== undefined) this.remove(before, key);
      if (after !== undefined) this.add(after, key);
    }
    this.noteWithout(key, after === undefined);
  }

  /** The object under `key`, which had that owner, is gone. */
  forget(key: string, owner: string | undefined): void {
    if (owner !== undefined) this.remove(owner, key);
    this.noteWithout(key, false);
  }
}
