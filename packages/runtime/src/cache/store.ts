/**
 * The store: the newest known state of each object of one kind, decoded for the ones used last and JSON text for all others. A reflector
 * and the client's own writes put objects in; listers read them. Always holds: a state is never replaced by an older one, and
 * handlers are told of each state that the watch confirmed, in order.
 */
import { deepFreeze, type KubernetesObject, type ObjectIdentity } from "@kubewright/core/meta";
import { type Arrival, identityOf } from "./arrival.ts";
import { DecodedStates, forget, keepText, type State, stateOf } from "./decoded-states.ts";
import { type Indexes, IndexTable } from "./index-table.ts";
import { NamespaceKeys } from "./namespace-keys.ts";
import { formatKey, keyOf, type ObjectKey } from "./object-key.ts";
import { OwnerIndex, ownerUid } from "./owner-index.ts";
import { compareVersions, newerVersion } from "./resource-version.ts";
import { LazyChange, type StoreChange } from "./store-change.ts";
import { announce, announceOvertaken, type Entry, isTold } from "./store-entry.ts";

/** How many objects that went last are remembered. */
const BURIED_MAX = 1024;

/** How a state came. */
export interface PutOptions {
  /** It is one of the initial objects. @default false */
  readonly initial?: boolean;
  /** The list that has it. @default none */
  readonly list?: number | undefined;
}

/** The objects of one kind. */
export class Store<Kind extends KubernetesObject = KubernetesObject> {
  readonly #entries = new Map<string, Entry<Kind>>();
  readonly #decoded = new DecodedStates<Kind>();
  readonly #indexes: IndexTable<Kind>;
  readonly #owners = new OwnerIndex();
  readonly #namespaces = new NamespaceKeys();
  /** At which version objects went, by key. */
  readonly #buried = new Map<string, string>();

  constructor({ indexes = {} }: { readonly indexes?: Indexes<Kind> | undefined } = {}) {
    this.#indexes = new IndexTable(indexes);
  }

  /** How many objects there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** The object with that key. */
  get(key: ObjectKey | string): Kind | undefined {
    const text = typeof key === "string" ? key : formatKey(key);
    const entry = this.#entries.get(text);
    return entry === undefined || entry.gone ? undefined : this.#decoded.decode(entry.state);
  }

  /** True when there is an object with that key; decodes nothing. */
  has(key: string): boolean {
    return this.#entries.get(key)?.gone === false;
  }

  /** The keys of all objects. */
  *keys(): IterableIterator<string> {
    for (const [key, entry] of this.#entries) if (!entry.gone) yield key;
  }

  /** The keys of all objects that a watch told of, those that changed last first. */
  newestKeys(): readonly string[] {
    const found: { readonly key: string; readonly version: number }[] = [];
    for (const [key, entry] of this.#entries)
      if (entry.announced !== undefined && !entry.gone) found.push({ key, version: Number(entry.version) || 0 });
    return found.sort((left, right) => right.version - left.version).map(({ key }) => key);
  }

  /** Notes that a list has the object with that key. */
  markListed(key: string, list: number): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.list = list;
  }

  /** The keys that begin with `prefix` and are not in a list, those of objects that only the watch can bury included. */
  unlistedKeys(prefix: string, list: number): readonly string[] {
    const keys: string[] = [];
    // Without an iterator, which makes a pair of each entry.
    this.#entries.forEach((entry, key) => {
      if (entry.list !== list && key.startsWith(prefix)) keys.push(key);
    });
    return keys;
  }

  /** All objects, decoded one by one. */
  *values(): IterableIterator<Kind> {
    for (const entry of this.#entries.values()) if (!entry.gone) yield this.#decoded.decode(entry.state);
  }

  /** The objects that index `name` has under `value`. */
  byIndex(name: string, value: string): readonly Kind[] {
    return this.#decodeAll(this.#indexes.of(name).keys(value));
  }

  /** The objects that index `name` has under no value. */
  withoutIndex(name: string): readonly Kind[] {
    return this.#decodeAll(this.#indexes.of(name).keysWithout(this.#entries.keys()));
  }

  /** The objects whose controlling owner has that uid. */
  ownedBy(uid: string): readonly Kind[] {
    return this.#decodeAll(this.#owners.keys(uid));
  }

  /** The objects that have no controlling owner. */
  ownedByNobody(): readonly Kind[] {
    return this.#decodeAll(this.#owners.keysWithout(this.#entries.keys()));
  }

  /** The objects of one namespace. */
  inNamespace(namespace: string): readonly Kind[] {
    return this.#decodeAll(this.#namespaces.keys(namespace, this.#entries.keys()));
  }

  /**
   * Takes a state from the server; answers with what handlers must hear, if anything. A text is decoded only if it must be: of the thousands
   * of initial objects hardly one is read before the others came, and the echo of an own write is known.
   */
  put(arrival: Arrival<Kind>, { initial = false, list }: PutOptions = {}): StoreChange<Kind> | undefined {
    const identity = identityOf(arrival);
    const key = keyOf({ metadata: identity });
    const before = this.#entries.get(key);
    if (before !== undefined && list !== undefined) before.list = list;
    const listed = list !== undefined;
    const age = before === undefined ? 1 : compareVersions(identity.resourceVersion ?? "", before.version);
    if (before === undefined || age > 0) {
      const isGone = before?.gone === true && this.#isFormerState(before, arrival);
      const next = this.#replace(before, { key, identity, arrival, isToBeRead: !initial });
      if (isGone) next.gone = true;
      if (list !== undefined) next.list = list;
      const keepsOwner = isTold(before) && before?.owner === next.owner;
      return announce(key, next, { arrival, initial, listed, keepsOwner });
    }
    if (isTold(before)) return undefined;
    const telling = { arrival, initial, listed, keepsOwner: false };
    if (age < 0) return announceOvertaken(key, before, telling);
    keepText(before.state, arrival.text);
    return announce(key, before, telling);
  }

  /**
   * Takes the answer to an own write: readers see it at once, handlers when the watch brings it. Everything up to `known` was put, so that
   * what is not there and is no newer is gone by now.
   */
  putOwn(object: Kind, known = ""): void {
    const identity = object.metadata ?? {};
    const key = keyOf(object);
    const before = this.#entries.get(key);
    const newest = before?.version ?? newerVersion(this.#buried.get(key) ?? "", known);
    if (newest !== "" && compareVersions(identity.resourceVersion ?? "", newest) <= 0) return;
    this.#replace(before, { key, identity, arrival: { object }, isToBeRead: true });
  }

  /** An own deletion of the object with that uid is complete: readers see it at once, handlers when the watch brings it. */
  removeOwn(key: string, uid: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.gone) return;
    if (this.#decoded.decode(entry.state).metadata?.uid === uid) entry.gone = true;
  }

  /** Takes a deletion that happened at `version`; a newer state under the same key stays. Without a version any state goes. */
  remove(key: string, version?: string, last?: Arrival<Kind>): StoreChange<Kind> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || (version !== undefined && compareVersions(entry.version, version) > 0)) return undefined;
    const current = last ?? { object: this.#decoded.decode(entry.state) };
    const keepsOwner = isTold(entry) && ownerUid(identityOf(current)) === entry.owner;
    const facts = { type: "deleted", key, initial: false, listed: false, keepsOwner } as const;
    const change = new LazyChange(facts, current, entry.announced);
    this.#owners.forget(key, entry.owner);
    if (!this.#indexes.empty) this.#indexes.move(key, this.#decoded.decode(entry.state), undefined);
    this.#entries.delete(key);
    this.#namespaces.remove(key);
    forget(entry.state);
    if (entry.announced !== undefined) forget(entry.announced);
    this.#bury(key, version ?? entry.version);
    return change;
  }

  /** Everything there is, for a handler that comes late. */
  *replay(): IterableIterator<StoreChange<Kind>> {
    for (const [key, { announced, state }] of this.#entries)
      if (announced !== undefined) yield this.#asInitial(key, state);
  }

  /** The object with that key as if it had been told of just now; undefined when there is none. */
  replayOne(key: string): StoreChange<Kind> | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : this.#asInitial(key, entry.state);
  }

  #asInitial(key: string, state: State<Kind>): StoreChange<Kind> {
    const facts = { type: "added", key, initial: true, listed: true, keepsOwner: false } as const;
    return new LazyChange<Kind>(facts, { object: this.#decoded.decode(state) }, undefined);
  }

  /** The answer to a write that ended the object may come after the watch told of its end. */
  #bury(key: string, version: string): void {
    this.#buried.delete(key);
    this.#buried.set(key, version);
    if (this.#buried.size <= BURIED_MAX) return;
    const [oldest] = this.#buried.keys();
    if (oldest !== undefined) this.#buried.delete(oldest);
  }

  #replace(before: Entry<Kind> | undefined, { key, identity, arrival, isToBeRead }: Successor<Kind>): Entry<Kind> {
    const { text } = arrival;
    const owner = ownerUid(identity);
    // First, for a program's function may fail: then all is as it was.
    if (!this.#indexes.empty) this.#indexes.move(key, before && this.#decoded.decode(before.state), arrival.object);
    this.#owners.move(key, before?.owner, owner);
    const entry: Entry<Kind> = {
      state: stateOf<Kind>(text),
      version: identity.resourceVersion ?? "",
      owner,
      announced: before?.announced,
      told: before?.told ?? "",
      gone: false,
      list: before?.list ?? 0,
    };
    this.#entries.set(key, entry);
    this.#namespaces.add(key);
    if (before !== undefined && before.state !== before.announced) forget(before.state);
    if (isToBeRead || text === undefined) this.#keepDecoded(entry.state, arrival.object);
    return entry;
  }

  /** Of an object that we deleted completely, a state in which nobody has begun to delete it is from before. */
  #isFormerState(deleted: Entry<Kind>, { object }: Arrival<Kind>): boolean {
    const { uid, deletionTimestamp } = object.metadata ?? {};
    if (uid === undefined || deletionTimestamp !== undefined) return false;
    return this.#decoded.decode(deleted.state).metadata?.uid === uid;
  }

  #keepDecoded(state: State<Kind>, object: Kind): void {
    // What comes frozen is shared with a server in this process, and takes no memory that its text would not take too.
    if (Object.isFrozen(object)) state.object = object;
    else this.#decoded.remember(state, deepFreeze(object));
  }

  #decodeAll(keys: Iterable<string>): readonly Kind[] {
    const objects: Kind[] = [];
    for (const key of keys) {
      const object = this.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }
}

/** A state that takes the place of another. */
interface Successor<Kind extends KubernetesObject> {
  readonly key: string;
  readonly identity: ObjectIdentity;
  readonly arrival: Arrival<Kind>;
  /** Somebody will read it soon. */
  readonly isToBeRead: boolean;
}
