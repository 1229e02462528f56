/**
 * The cache: shared informers, one per kind, and readers over them. A manager makes one; controllers declare the kinds they
 * read, and reading another is an error rather than a surprise list of the whole cluster.
 */
import { formatGroupResource, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { Client } from "../client/client.ts";
import {
  type AnyDefinition,
  definitionKey,
  isMetadataOnly,
  type UnstructuredObject,
  unstructured,
  viewKeys,
} from "../client/definitions.ts";
import type { ClientOptions } from "../client/requester.ts";
import type { SelectorInput } from "../client/selectors.ts";
import { type CacheReader, createReader } from "./cache-reader.ts";
import { Informer } from "./informer.ts";
import type { InformerHealth, InformerOptions } from "./informer-options.ts";
import { formatKey } from "./object-key.ts";

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
   * Options of a client whose writes readers see before the watch brings them. Readers of another version of the kind wait for the watch:
   * the server alone converts.
   * @example const client = createClient({ transport, ...cache.observers });
   */
  get observers(): Required<Pick<ClientOptions, "onWritten" | "onDeleted">> {
    return {
      onWritten: ({ definition, object }) => {
        const { whole, metadata } = viewKeys(definition);
        if (!isMetadataOnly(definition)) this.#informers.get(whole)?.observeWritten(object);
        this.#informers.get(metadata)?.observeWritten(object);
      },
      onDeleted: ({ definition, uid, ...key }) => {
        if (uid === undefined) return; // Nobody knows whether what is there by now was deleted: the watch tells.
        const { whole, metadata } = viewKeys(definition);
        for (const view of [whole, metadata]) this.#informers.get(view)?.store.removeOwn(formatKey(key), uid);
      },
    };
  }

  /** A reader whose names are in `namespace` unless they say otherwise, which they may not if it `isConfined`. */
  reader(namespace = "default", isConfined = false): CacheReader {
    if (this.#lastReader?.namespace !== namespace || this.#lastReader.isConfined !== isConfined) {
      this.#lastReader = {
        namespace,
        isConfined,
        reader: createReader((what) => this.#known(what), { home: namespace, isConfined }),
      };
    }
    return this.#lastReader.reader;
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
    });
    this.#informers.set(key, informer as unknown as Informer);
    return informer;
  }
}
