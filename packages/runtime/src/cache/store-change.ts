/** What a store tells of its objects: made by store.ts, handed to the handlers of an informer. */
import { deepFreeze, type KubernetesObject, type ObjectIdentity } from "@kubewright/core/meta";
import { type Arrival, identityOf } from "./arrival.ts";
import { decodeState, type State } from "./decoded-states.ts";

/** What happened to one object. */
export interface StoreChange<Kind extends KubernetesObject = KubernetesObject> {
  readonly type: "added" | "updated" | "deleted";
  readonly key: string;
  /** What tells the object apart: there even where the object has yet to be decoded. */
  readonly identity: ObjectIdentity;
  /** The new state; the last known one for deletions. */
  readonly object: Kind;
  /** The state that handlers were told of before; undefined when there was none. */
  readonly previous: Kind | undefined;
  /** True when the previous state is known to have had the same controlling owner. @default it may have had another */
  readonly keepsOwner?: boolean;
  /** True while the initial objects are being read: nothing changed, we just learned of it. */
  readonly initial: boolean;
  /** True when a list brought a state: whatever happened since the previous one is in it, and is not told one by one. @default false */
  readonly listed?: boolean;
}

/** What is known of a change beside its states. */
type Facts = Pick<Required<StoreChange>, "type" | "key" | "initial" | "keepsOwner" | "listed">;

/** A change whose states are decoded when a handler reads them, which few do. */
export class LazyChange<Kind extends KubernetesObject> implements StoreChange<Kind> {
  readonly type: StoreChange["type"];
  readonly key: string;
  readonly initial: boolean;
  readonly keepsOwner: boolean;
  readonly listed: boolean;
  readonly #current: Arrival<Kind>;
  readonly #previous: State<Kind> | undefined;

  constructor(
    { type, key, initial, keepsOwner, listed }: Facts,
    current: Arrival<Kind>,
    previous: State<Kind> | undefined,
  ) {
    this.type = type;
    this.key = key;
    this.initial = initial;
    this.keepsOwner = keepsOwner;
    this.listed = listed;
    this.#current = current;
    this.#previous = previous && { ...previous }; // The store forgets what it has told.
  }

  get identity(): ObjectIdentity {
    return identityOf(this.#current);
  }

  get object(): Kind {
    return deepFreeze(this.#current.object);
  }

  get previous(): Kind | undefined {
    if (this.#previous !== undefined) this.#previous.object ??= decodeState(this.#previous);
    return this.#previous?.object;
  }
}
