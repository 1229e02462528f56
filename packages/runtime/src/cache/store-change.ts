/** What a store tells of its objects: made by store.ts, handed to the handlers of an informer. */
import { deepFreeze, type KubernetesObject, type ObjectMeta } from "@kubewright/core/meta";
import type { Arrival } from "./reflector.ts";

/** What happened to one object. */
export interface StoreChange<Kind extends KubernetesObject = KubernetesObject> {
  readonly type: "added" | "updated" | "deleted";
  readonly key: string;
  /** The object's metadata: there even where the object has yet to be decoded. */
  readonly metadata: ObjectMeta;
  /** The new state; the last known one for deletions. */
  readonly object: Kind;
  /** The state that handlers were told of before; undefined when there was none. */
  readonly previous: Kind | undefined;
  /** True while the initial objects are being read: nothing changed, we just learned of it. */
  readonly initial: boolean;
}

/** An object that was found; decoded when a handler reads it. */
export class TextChange<Kind extends KubernetesObject> implements StoreChange<Kind> {
  readonly type = "added";
  readonly key: string;
  readonly previous: undefined = undefined;
  readonly initial = true;
  readonly #arrival: Required<Arrival<Kind>>;

  constructor(key: string, arrival: Required<Arrival<Kind>>) {
    this.key = key;
    this.#arrival = arrival;
  }

  get metadata(): ObjectMeta {
    return this.#arrival.metadata;
  }

  get object(): Kind {
    return deepFreeze(this.#arrival.object);
  }
}
