/** What `children` and `status` see of the world: the object's own children and the caches, never the network. */
import type { KubernetesObject, ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Random } from "@kubewright/core/ports";
import type { CacheReader } from "../cache/cache-reader.ts";
import { confinedReader, type ReadingPorts } from "./confinement.ts";

/** The world as `children` and `status` see it. */
export interface Observed {
  /** The children of that kind, in no particular order. */
  list<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>): readonly Kind[];
  /** The child of that kind and name. */
  get<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>, name: string): Kind | undefined;
  /** What went wrong with the children in this reconcile, for `status` to show; it is retried. Empty in `children`. */
  readonly problems: readonly Error[];
  /** Everything else that is cached. */
  readonly cache: CacheReader;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a view is of. */
type ObservePorts = ReadingPorts & { readonly clock: Clock; readonly random: Random };

const NO_PROBLEMS: readonly Error[] = [];

/**
 * The view of one object's children. Its functions are made when they are asked for, each time, so that they may be taken out of it; few
 * controllers ask.
 */
export class ChildrenView implements Observed {
  readonly problems: readonly Error[];
  readonly #owner: KubernetesObject;
  readonly #ports: ObservePorts;
  #wasAsked = false;

  constructor(owner: KubernetesObject, ports: ObservePorts, problems: readonly Error[] = NO_PROBLEMS) {
    this.#owner = owner;
    this.#ports = ports;
    this.problems = problems;
  }

  /** True when somebody looked at what is there. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  get list(): Observed["list"] {
    return (what) => this.cache.list(what, { controlledBy: this.#owner });
  }

  get get(): Observed["get"] {
    return (what, name) => this.list(what).find((child) => child.metadata?.name === name);
  }

  get cache(): CacheReader {
    this.#wasAsked = true;
    return confinedReader(this.#owner.metadata?.namespace, this.#ports);
  }

  get clock(): Clock {
    return this.#ports.clock;
  }

  get random(): Random {
    return this.#ports.random;
  }

  /** The same view, after these problems. */
  with(problems: readonly Error[]): ChildrenView {
    return new ChildrenView(this.#owner, this.#ports, problems);
  }
}
