/**
 * Takes the objects that reflectors bring into the store of one kind, made smaller, and tells handlers of what changed: one after the
 * other, in the order of changes per object. The informer (informer.ts) says when a list begins and ends. Always holds: an object that
 * cannot be taken is reported and left out, and the others go on.
 */
import {
  creatorsAlone,
  formatGroupResource,
  type KubernetesObject,
  leanObject,
  type ObjectMeta,
} from "@kubewright/core/meta";
import type { Cancel } from "@kubewright/core/ports";
import { isMetadataOnly, toMetadataObject } from "../client/definitions.ts";
import { type Arrival, identityOf } from "./arrival.ts";
import type { InformerEvent, InformerOptions, SubscribeOptions } from "./informer-options.ts";
import { keyOf } from "./object-key.ts";
import { Store } from "./store.ts";

/** No list has this number: what was put outside of one has 0. */
export const NO_LIST = -1;

/** What is taken in, kept and told. */
export class Intake<Kind extends KubernetesObject> {
  readonly store: Store<Kind>;
  readonly #options: InformerOptions<Kind>;
  readonly #handlers = new Set<(event: InformerEvent<Kind>) => void>();
  /** How many states could not be taken. */
  leftOut = 0;

  constructor(options: InformerOptions<Kind>) {
    this.#options = options;
    this.store = new Store(options);
  }

  /** Tells `handler` of all objects, unless it knows what is there, then of each change, until cancelled. */
  subscribe(handler: (event: InformerEvent<Kind>) => void, { knowsAll = false }: SubscribeOptions = {}): Cancel {
    if (!knowsAll) for (const change of this.store.replay()) this.#tell(handler, change);
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Takes an object as it is now; `initial` before all objects are known; `list` where a list brings it. */
  put(arrival: Arrival<Kind>, initial: boolean, list: number | undefined): void {
    try {
      const change = this.store.put(this.#keepsText(arrival) ? arrival : this.#prepareArrival(arrival), {
        initial,
        list,
      });
      if (change !== undefined) this.#tellAll(change);
    } catch (error) {
      const key = arrivalKey(arrival);
      this.#leaveOut(key, error);
      if (list !== undefined) this.store.markListed(key, list); // What was known of it stays.
    }
  }

  /**
   * Takes the answer to an own write, of which a metadata-only view keeps the metadata: readers see it at once, handlers when the watch
   * brings it, which brought all up to `known`.
   */
  putOwn(object: KubernetesObject, known: string): void {
    const kept = isMetadataOnly(this.#options.definition) ? toMetadataObject(object) : object;
    try {
      // The server answered with an object of this kind: the definition that was written with says so.
      this.store.putOwn(this.#prepare(kept as Kind), known);
    } catch (error) {
      this.#leaveOut(keyOf(object), error);
    }
  }

  /** Takes the end of an object, and its last state. */
  remove(last: Arrival<Kind>, list: number | undefined): void {
    const key = arrivalKey(last);
    try {
      const { resourceVersion = "" } = identityOf(last);
      const current = this.#keepsText(last) ? last : this.#prepareLast(last.object);
      const change = this.store.remove(key, resourceVersion, current);
      if (change !== undefined) this.#tellAll(change);
    } catch (error) {
      this.#leaveOut(key, error);
    }
    if (list !== undefined) this.store.markListed(key, NO_LIST);
  }

  /** Removes what a complete list at `version`, or at any, does not contain, of the keys that begin with `prefix`. */
  sweep(list: number, version: string | undefined, prefix: string): void {
    for (const key of this.store.unlistedKeys(prefix, list)) {
      const change = this.store.remove(key, version);
      if (change !== undefined) this.#tellAll(change);
    }
  }

  #leaveOut(key: string, error: unknown): void {
    this.leftOut += 1;
    const resource = formatGroupResource(this.#options.definition);
    this.#options.log.error("an object could not be taken into the cache and is left out", { resource, key, error });
  }

  /** True where the object is kept as it came, so that it need not be decoded. */
  #keepsText({ identity, text }: Arrival<Kind>): boolean {
    return text !== undefined && identity?.name !== undefined && this.#options.transform === undefined;
  }

  #prepareArrival(arrival: Arrival<Kind>): Arrival<Kind> {
    const object = this.#prepare(arrival.object);
    return object === arrival.object ? arrival : { object };
  }

  #prepare(object: Kind): Kind {
    const lean = leanObject(object) ?? object;
    const metadata = lean.metadata;
    if (metadata?.name === undefined) throw new TypeError("the object has no metadata.name");
    const slim = metadata.managedFields === undefined ? lean : withoutManagedFields(lean, metadata);
    return this.#options.transform === undefined ? slim : this.#options.transform(slim);
  }

  /** The last state of an object; undefined when it cannot be taken, which must not keep its end from being known. */
  #prepareLast(object: Kind): { readonly object: Kind } | undefined {
    try {
      return { object: this.#prepare(object) };
    } catch {
      return undefined;
    }
  }

  #tellAll(event: InformerEvent<Kind>): void {
    for (const handler of this.#handlers) this.#tell(handler, event);
  }

  #tell(handler: (event: InformerEvent<Kind>) => void, event: InformerEvent<Kind>): void {
    try {
      handler(event);
    } catch (error) {
      this.#options.log.error("a handler of the cache failed", { key: event.key, error });
    }
  }
}

/** Its key, without decoding more than is needed for it. */
function arrivalKey<Kind extends KubernetesObject>(arrival: Arrival<Kind>): string {
  return keyOf({ metadata: identityOf(arrival) });
}

/** But for who created it. */
function withoutManagedFields<Kind extends KubernetesObject>(object: Kind, metadata: ObjectMeta): Kind {
  const { managedFields, ...others } = metadata;
  const creators = creatorsAlone(managedFields);
  if (creators !== undefined && creators === managedFields) return object;
  return { ...object, metadata: creators === undefined ? others : { ...others, managedFields: creators } };
}
