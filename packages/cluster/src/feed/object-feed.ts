/**
 * The object feed: every change of every object in the cluster, of custom kinds as well. It reads the API server's storage,
 * so it costs no watch per kind and is never behind; what is done because of it goes through the API like any client's
 * request. Feeds the garbage collector, the namespace controller and the quota controller.
 */
import type { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import type { Storage, StoredEvent } from "@kubewright/apiserver";
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Cancel, Logger } from "@kubewright/core/ports";
import { builtinKinds, customKind, type ServedKind } from "./served-kinds.ts";

const CRD_RESOURCE = "customresourcedefinitions.apiextensions.k8s.io";

/** One change. Most are of no concern to anybody who is told, so the object is made when it is asked for. */
export type FeedEvent =
  /** An object as it is now; `isNew` when it was not there before. */
  | {
      readonly type: "put";
      readonly kind: ServedKind;
      readonly object: () => KubernetesObject;
      readonly isNew: boolean;
    }
  /** An object is gone; its last state. */
  | { readonly type: "deleted"; readonly kind: ServedKind; readonly object: () => KubernetesObject }
  /** A kind is served from now on. */
  | { readonly type: "kind-served"; readonly kind: ServedKind };

/** Everything that happens to objects. Made and closed by the cluster. */
export class ObjectFeed {
  readonly #storage: Storage;
  readonly #log: Logger;
  readonly #followed = new Map<string, { readonly kind: ServedKind; readonly cancel: Cancel }>();
  readonly #handlers = new Set<(event: FeedEvent) => void>();

  constructor(storage: Storage, log: Logger) {
    this.#storage = storage;
    this.#log = log;
    for (const kind of builtinKinds()) this.#follow(kind);
    for (const crd of this.#read(CRD_RESOURCE)) this.#serve(crd);
  }

  /** The kinds served now. */
  get kinds(): readonly ServedKind[] {
    return Array.from(this.#followed.values(), ({ kind }) => kind);
  }

  /** The kind that storage calls `resource`. */
  kind(resource: string): ServedKind | undefined {
    return this.#followed.get(resource)?.kind;
  }

  /** The objects of a kind in a namespace, now. */
  list(kind: ServedKind, namespace: string): readonly KubernetesObject[] {
    return this.#read(kind.resource, `${namespace}/`);
  }

  /** Tells `handler` of all objects, then of each change as it is stored, until cancelled. */
  subscribe(handler: (event: FeedEvent) => void): Cancel {
    for (const kind of this.kinds) this.#replay(kind, handler);
    return this.watch(handler);
  }

  /** Tells `handler` of each change as it is stored, until cancelled. */
  watch(handler: (event: FeedEvent) => void): Cancel {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Ends it. */
  close(): void {
    for (const { cancel } of this.#followed.values()) cancel();
    this.#followed.clear();
    this.#handlers.clear();
  }

  #follow(kind: ServedKind): void {
    const watch = this.#storage.watch(kind.resource, this.#storage.revision, (event) =>
      this.#take(kind.resource, event),
    );
    this.#followed.set(kind.resource, { kind, cancel: () => watch?.cancel() });
  }

  #take(resource: string, { type, entry }: StoredEvent): void {
    const kind = this.kind(resource);
    if (kind === undefined) return;
    const object = (): KubernetesObject => this.#objectOf(entry);
    if (resource === CRD_RESOURCE) this.#noteCrd(object(), type === "deleted");
    if (type === "deleted") this.#tell({ type: "deleted", kind, object });
    else this.#tell({ type: "put", kind, object, isNew: type === "created" });
  }

  #noteCrd(crd: KubernetesObject, deleted: boolean): void {
    if (!deleted) {
      this.#serve(crd);
      return;
    }
    const resource = crd.metadata?.name ?? ""; // A CRD is named after its resource.
    this.#followed.get(resource)?.cancel();
    this.#followed.delete(resource);
  }

  /** Takes a CRD's kind, or what became of it. Only a new kind brings objects that nobody was told of. */
  #serve(crd: KubernetesObject): void {
    const kind = customKind(crd as CustomResourceDefinition);
    if (kind === undefined) return;
    const known = this.#followed.get(kind.resource);
    if (known !== undefined) this.#followed.set(kind.resource, { ...known, kind });
    else {
      this.#follow(kind);
      for (const handler of this.#handlers) this.#replay(kind, (event) => this.#tellOne(handler, event));
    }
    this.#tell({ type: "kind-served", kind });
  }

  #replay(kind: ServedKind, handler: (event: FeedEvent) => void): void {
    for (const object of this.#read(kind.resource)) handler({ type: "put", kind, object: () => object, isNew: true });
  }

  #read(resource: string, prefix = ""): readonly KubernetesObject[] {
    const entries = this.#storage.list(resource, { prefix })?.entries ?? [];
    return entries.map((entry) => this.#objectOf(entry));
  }

  /** Nobody who is fed asks who owns which field. */
  #objectOf(entry: StoredEvent["entry"]): KubernetesObject {
    return (entry.value?.object ?? this.#storage.objectOf(entry)) as KubernetesObject;
  }

  #tell(event: FeedEvent): void {
    for (const handler of this.#handlers) this.#tellOne(handler, event);
  }

  /** A handler runs inside the write of somebody else, which must not fail because of it. */
  #tellOne(handler: (event: FeedEvent) => void, event: FeedEvent): void {
    try {
      handler(event);
    } catch (error) {
      this.#log.error("a handler of the object feed failed", { resource: event.kind.resource, error });
    }
  }
}
