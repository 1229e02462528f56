/**
 * The store: the newest known state of each object of one kind, decoded for the ones used last and JSON text for all others. A reflector
 * and the client's own writes put objects in; listers read them. Always holds: a state is never replaced by an older one, and
 * handlers are told of each state that the watch confirmed, in order.
 */
import { deepFreeze, type KubernetesObject } from "@kubewright/core/meta";
import { DecodedStates, forget, keepText, type State, stateOf } from "./decoded-states.ts";
import { type Indexes, IndexTable } from "./index-table.ts";
import { NamespaceKeys } from "./namespace-keys.ts";
import { formatKey, keyOf, type ObjectKey } from "./object-key.ts";
import { OwnerIndex, ownerUid } from "./owner-index.ts";
import type { Arrival } from "./reflector.ts";
import { compareVersions } from "./resource-version.ts";
import { type Current, LazyChange, type StoreChange } from "./store-change.ts";

/** How many objects that went last are remembered. */
const BURIED_MAX = 1024;

/** How a state came. */
export interface PutOptions {
  /** Its JSON, without what is not kept, which JSON.parse reads without loss. @default made when it is needed */
  readonly text?: string | undefined;
  /** It is one of the initial objects. @default false */
  readonly initial?: boolean;
}

/** One stored object. */
interface Entry<Kind> {
  readonly state: State<Kind>;
  readonly version: string;
  /** The uid of its controlling owner. */
  readonly owner: string | undefined;
  /** What handlers last heard of: undefined means nothing yet, the same as `state` means they are up to date. */
  announced: State<Kind> | undefined;
  /** Deleted by ourselves, and the watch has yet to confirm it. */
  gone: boolean;
  /** The list that had it last. */
  list: number;
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

  /** Takes a state from the server, and its text where there is one; answers with what handlers must hear, if anything. */
  put(object: Kind, { text, initial = false }: PutOptions = {}): StoreChange<Kind> | undefined {
    const key = keyOf(object);
    const version = object.metadata?.resourceVersion ?? "";
    const entry = this.#entries.get(key);
    const age = entry === undefined ? 1 : compareVersions(version, entry.version);
    if (entry !== undefined && (age < 0 || (age === 0 && entry.announced === entry.state))) return undefined;
    if (entry === undefined || age > 0) {
      const next = this.#replace(key, object, { version, text });
      return this.#announce(key, next, { initial, keepsOwner: isTold(entry) && entry.owner === next.owner });
    }
    keepText(entry.state, text); // An own write, which came as an object.
    return this.#announce(key, entry, { initial, keepsOwner: false });
  }

  /**
   * Takes an initial state of which the metadata is decoded: of thousands hardly one is read before the others came, and their text is
   * enough. An object that is known already is taken as `put` does.
   */
  putText(arrival: Required<Arrival<Kind>>): StoreChange<Kind> | undefined {
    const { metadata, text } = arrival;
    const key = keyOf(arrival);
    if (this.#entries.has(key)) return this.put(arrival.object, { text, initial: true });
    const [owner, version] = [ownerUid(arrival), metadata.resourceVersion ?? ""];
    this.#owners.move(key, undefined, owner);
    if (!this.#indexes.empty) this.#indexes.move(key, undefined, arrival.object);
    const state = stateOf<Kind>(text);
    this.#insert(key, { state, version, owner, announced: state, gone: false, list: 0 });
    return new LazyChange<Kind>({ type: "added", key, initial: true, keepsOwner: false }, arrival, undefined);
  }

  /** Takes the answer to an own write: readers see it at once, handlers when the watch brings it. */
  putOwn(object: Kind): void {
    const key = keyOf(object);
    const version = object.metadata?.resourceVersion ?? "";
    const entry = this.#entries.get(key);
    const known = entry?.version ?? this.#buried.get(key);
    if (known === undefined || compareVersions(version, known) > 0) this.#replace(key, object, { version });
  }

  /** An own deletion that is complete: readers see it at once, handlers when the watch brings it. */
  removeOwn(key: string, uid: string | undefined): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.gone) return;
    if (uid === undefined || this.#decoded.decode(entry.state).metadata?.uid === uid) entry.gone = true;
  }

  /** Takes a deletion that happened at `version`; a newer state under the same key stays. */
  remove(key: string, version: string, last?: Current<Kind>): StoreChange<Kind> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || compareVersions(entry.version, version) > 0) return undefined;
    const current = last ?? { object: this.#decoded.decode(entry.state) };
    const keepsOwner = isTold(entry) && ownerUid(current) === entry.owner;
    const change = new LazyChange({ type: "deleted", key, initial: false, keepsOwner }, current, entry.announced);
    this.#owners.forget(key, entry.owner);
    if (!this.#indexes.empty) this.#indexes.move(key, this.#decoded.decode(entry.state), undefined);
    this.#entries.delete(key);
    this.#namespaces.remove(key);
    forget(entry.state);
    if (entry.announced !== undefined) forget(entry.announced);
    this.#bury(key, version);
    return change;
  }

  /** Everything there is, for a handler that comes late. */
  *replay(): IterableIterator<StoreChange<Kind>> {
    for (const [key, entry] of this.#entries) {
      if (entry.announced === undefined) continue;
      const object = this.#decoded.decode(entry.state);
      yield new LazyChange<Kind>({ type: "added", key, initial: true, keepsOwner: false }, { object }, undefined);
    }
  }

  /** The answer to a write that ended the object may come after the watch told of its end. */
  #bury(key: string, version: string): void {
    this.#buried.delete(key);
    this.#buried.set(key, version);
    if (this.#buried.size <= BURIED_MAX) return;
    const [oldest] = this.#buried.keys();
    if (oldest !== undefined) this.#buried.delete(oldest);
  }

  #replace(
    key: string,
    object: Kind,
    { version, text }: { readonly version: string; readonly text?: string | undefined },
  ): Entry<Kind> {
    const before = this.#entries.get(key);
    const owner = ownerUid(object);
    this.#owners.move(key, before?.owner, owner);
    if (!this.#indexes.empty) this.#indexes.move(key, before && this.#decoded.decode(before.state), object);
    const state = stateOf<Kind>(text);
    const entry = { state, version, owner, announced: before?.announced, gone: false, list: before?.list ?? 0 };
    this.#insert(key, entry);
    if (before !== undefined && before.state !== before.announced) forget(before.state);
    // What comes frozen is shared with a server in this process, and takes no memory that its text would not take too.
    if (Object.isFrozen(object)) state.object = object;
    else this.#decoded.remember(state, deepFreeze(object));
    return entry;
  }

  #insert(key: string, entry: Entry<Kind>): void {
    this.#entries.set(key, entry);
    this.#namespaces.add(key);
  }

  #decodeAll(keys: Iterable<string>): readonly Kind[] {
    const objects: Kind[] = [];
    for (const key of keys) {
      const object = this.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  #announce(
    key: string,
    entry: Entry<Kind>,
    { initial, keepsOwner }: Pick<LazyChange<Kind>, "initial" | "keepsOwner">,
  ): StoreChange<Kind> {
    const { state, announced } = entry;
    const type = announced === undefined ? "added" : "updated";
    const current = { object: this.#decoded.decode(state) };
    const change = new LazyChange({ type, key, initial, keepsOwner }, current, announced);
    if (announced !== undefined && announced !== state) forget(announced);
    entry.announced = state;
    return change;
  }
}

/** True when handlers were told of the newest state. */
function isTold<Kind>(entry: Entry<Kind> | undefined): entry is Entry<Kind> {
  return entry !== undefined && entry.announced === entry.state;
}
