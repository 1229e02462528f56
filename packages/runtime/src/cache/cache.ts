/**
 * The cache: shared informers, one per kind, and readers over them. A manager makes one; controllers declare the kinds they
 * read, and reading another is an error rather than a surprise list of the whole cluster.
 */
import { formatGroupResource, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";
import { type AnyDefinition, definitionKey, type UnstructuredObject, unstructured } from "../client/definitions.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { SelectorInput } from "../client/selectors.ts";
import { resolveTarget, type Target } from "../client/target.ts";
import { Informer, type InformerHealth, type InformerOptions } from "./informer.ts";
import { formatKey } from "./object-key.ts";
import { controllerUids, OWNER_INDEX } from "./owner-index.ts";
import type { Store } from "./store.ts";

/** Stated here so that a cache does not load the types of the whole core group. */
const NAMESPACE: ResourceDefinition<UnstructuredObject, KubernetesObject> = unstructured({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
});

/** How one kind is cached. */
export type KindOptions<Kind extends KubernetesObject = KubernetesObject> = Pick<
  InformerOptions<Kind>,
  "namespaces" | "labelSelector" | "fieldSelector" | "transform" | "indexes"
>;

/** What a cache is made of. */
export interface CacheOptions {
  readonly client: Client;
  /** Namespaces to follow unless a kind says otherwise, by name or by label. @default all */
  readonly namespaces?: readonly string[] | { readonly labelSelector: SelectorInput } | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Which cached objects of a kind. */
export interface CacheListOptions {
  /** @default all that are cached */
  readonly namespace?: string | undefined;
  /** Only objects with all these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only objects that this one controls, or that nobody does; as fast as an index. */
  readonly controlledBy?: KubernetesObject | "nobody";
  /** Only objects that the index has under this value; much faster than going through all. */
  readonly index?: { readonly name: string; readonly value: string };
}

/** Reads cached objects. They are shared and deeply frozen. */
export interface CacheReader {
  /** The cached object, or undefined when there is none. */
  get<Kind extends KubernetesObject>(what: ResourceDefinition<Kind, unknown>, target: Target): Kind | undefined;
  /** The cached objects. */
  list<Kind extends KubernetesObject>(
    what: ResourceDefinition<Kind, unknown>,
    options?: CacheListOptions,
  ): readonly Kind[];
}

/** Shared informers and readers over them. */
export class Cache {
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, Informer>();
  readonly #namespaces: Informer<UnstructuredObject> | undefined;
  /** Readers keep nothing, and most are asked for several times in a row. */
  #lastReader: { readonly namespace: string; readonly isConfined: boolean; readonly reader: CacheReader } | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    const { namespaces, ...ports } = options;
    if (namespaces !== undefined && "labelSelector" in namespaces) {
      this.#namespaces = new Informer({ ...ports, definition: NAMESPACE, labelSelector: namespaces.labelSelector });
    }
  }

  /** The informer of a kind, made at the first call; `options` may be given by one caller only. */
  informer<Kind extends KubernetesObject>(
    definition: ResourceDefinition<Kind, unknown>,
    options?: KindOptions<Kind>,
  ): Informer<Kind> {
    const key = definitionKey(definition);
    const known = this.#informers.get(key);
    if (known === undefined) return this.#create(key, definition, options ?? {});
    if (options !== undefined) {
      throw new TypeError(
        `${formatGroupResource(definition)} is cached already; give its cache options before its first use`,
      );
    }
    return known as unknown as Informer<Kind>;
  }

  /** Starts every informer that was asked for. */
  start(): void {
    for (const informer of this.#informers.values()) informer.start();
    if (this.#namespaces !== undefined) this.#followNamespaces(this.#namespaces);
  }

  /** Resolves when all objects of all kinds are known. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.whenSynced(signal)));
  }

  /** Ends every informer. */
  async stop(): Promise<void> {
    await this.#namespaces?.stop();
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.stop()));
  }

  /** How the informers are doing. */
  health(): readonly InformerHealth[] {
    const informers: readonly Pick<Informer, "health">[] = [
      ...(this.#namespaces === undefined ? [] : [this.#namespaces]),
      ...this.#informers.values(),
    ];
    return informers.map((informer) => informer.health());
  }

  /**
   * Options of a client whose writes readers see before the watch brings them.
   * @example const client = createClient({ transport, ...cache.observers });
   */
  get observers(): Required<Pick<ClientOptions, "onWritten" | "onDeleted">> {
    return {
      onWritten: ({ definition, object }) => this.#informers.get(definitionKey(definition))?.observeWritten(object),
      onDeleted: ({ definition, uid, ...key }) =>
        this.#informers.get(definitionKey(definition))?.store.removeOwn(formatKey(key), uid),
    };
  }

  /** A reader whose names are in `namespace` unless they say otherwise, which they may not if it `isConfined`. */
  reader(namespace = "default", isConfined = false): CacheReader {
    if (this.#lastReader?.namespace !== namespace || this.#lastReader.isConfined !== isConfined) {
      this.#lastReader = { namespace, isConfined, reader: this.#createReader(namespace, isConfined) };
    }
    return this.#lastReader.reader;
  }

  #createReader(home: string, isConfined: boolean): CacheReader {
    const check = (what: AnyDefinition, namespace = home): void => {
      if (isConfined && namespace !== home) throw new Error(`reading ${what.plural} of ${namespace} ${refusal(home)}`);
    };
    return {
      get: (what, target) => {
        const informer = this.#known(what);
        const found = resolveTarget(what, target, home);
        check(what, found.namespace);
        return informer.store.get(formatKey(found)) as never;
      },
      list: (what, options = {}) => {
        check(what, options.namespace);
        return selectObjects(this.#known(what), options) as never;
      },
    };
  }

  /** Follows each namespace that has the labels, for as long as it has them. */
  #followNamespaces(namespaces: Informer<UnstructuredObject>): void {
    const { log } = this.#options;
    const later = (): Informer[] => [...this.#informers.values()].filter((informer) => informer.followsLater);
    namespaces.subscribe(({ type, key }) => {
      for (const informer of later()) {
        if (type !== "deleted") informer.follow(key);
        else
          informer.unfollow(key).catch((error: unknown) => log.error("a namespace could not be left", { key, error }));
      }
    });
    namespaces.start();
    namespaces.whenSynced().then(
      () => {
        for (const informer of later()) informer.namespacesKnown();
      },
      () => {}, // Stopped before.
    );
  }

  #defaultNamespaces(): readonly string[] | "later" | undefined {
    const { namespaces } = this.#options;
    return namespaces !== undefined && "labelSelector" in namespaces ? "later" : namespaces;
  }

  #known(definition: AnyDefinition): Informer {
    const informer = this.#informers.get(definitionKey(definition));
    if (informer !== undefined) return informer;
    throw new TypeError(
      `${formatGroupResource(definition)} is not cached; add it to the controller's owns, watches or reads, or use the client`,
    );
  }

  #create<Kind extends KubernetesObject>(
    key: string,
    definition: ResourceDefinition<Kind, unknown>,
    options: KindOptions<Kind>,
  ): Informer<Kind> {
    const informer = new Informer<Kind>({
      ...this.#options,
      definition,
      ...options,
      namespaces: options.namespaces ?? this.#defaultNamespaces(),
      metadataIndexes: { [OWNER_INDEX]: controllerUids },
    });
    this.#informers.set(key, informer as unknown as Informer);
    return informer;
  }
}

function refusal(home: string): string {
  return `was refused: it leaves namespace ${JSON.stringify(home)}; if that is meant, declare crossNamespace: true on the controller`;
}

function selectObjects({ store }: Informer, options: CacheListOptions): readonly KubernetesObject[] {
  const { namespace, labels } = options;
  const chosen: KubernetesObject[] = [];
  for (const object of candidates(store, options)) {
    if (namespace !== undefined && object.metadata?.namespace !== namespace) continue;
    if (labels !== undefined && !hasLabels(object, labels)) continue;
    chosen.push(object);
  }
  return chosen;
}

/** The fewest objects that are found at once. */
function candidates(store: Store, options: CacheListOptions): Iterable<KubernetesObject> {
  const { index, controlledBy, namespace } = options;
  if (index !== undefined) return store.byIndex(index.name, index.value);
  if (controlledBy === "nobody") return store.withoutIndex(OWNER_INDEX);
  if (controlledBy !== undefined) return store.byIndex(OWNER_INDEX, controlledBy.metadata?.uid ?? "");
  return namespace === undefined ? store.values() : store.inNamespace(namespace);
}

function hasLabels(object: KubernetesObject, labels: Readonly<Record<string, string>>): boolean {
  const own = object.metadata?.labels ?? {};
  return Object.entries(labels).every(([key, value]) => Object.hasOwn(own, key) && own[key] === value);
}
