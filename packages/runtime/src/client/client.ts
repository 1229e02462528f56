/**
 * The client: every operation of the Kubernetes API, typed by resource definitions. `createClient` in create-client.ts
 * makes one from a transport. Reads are live (caches are in ../cache); failures throw values matched by `isNotFound` and
 * its like.
 */
import type { KubernetesList, KubernetesObject, ObjectMeta, ResourceDefinition } from "@kubewright/core/meta";
import type { AnyDefinition } from "./definitions.ts";
import type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  EachOptions,
  GetOptions,
  ListOptions,
  StreamOptions,
  UpdateOptions,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";
import type { Target } from "./target.ts";
import type { ObjectEvent } from "./watch.ts";

/** A value of which any part may be missing, as server-side apply takes it. */
export type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;

/** The fields of an object that its applier cares for. */
export type ApplyInput<Kind extends KubernetesObject> = Omit<DeepPartial<Kind>, "metadata"> & {
  readonly metadata: ObjectMeta & { readonly name: string };
};

/** What may be changed for a derived client. */
export interface ClientSettings {
  /** Where namespaced objects are when a call does not say. @default "default" */
  readonly namespace?: string | undefined;
  /** Who written fields belong to. @default "kubewright" */
  readonly fieldManager?: string;
  /** @default the server's: "Warn" */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Checks and answers as if, and stores nothing. @default false */
  readonly dryRun?: boolean;
  /** Answers to writes come without managedFields where that saves making or decoding them. @default false */
  readonly dropsManagedFields?: boolean;
  /**
   * What is written is made for one write and not used again: a server in the same process may keep it, and freeze it, in place of a
   * copy. @default false
   */
  readonly givesObjects?: boolean;
  /** Act as somebody else. */
  readonly impersonate?: Impersonation;
}

/** Whom to act as; the real user needs the right to. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The definition of a kind, for inference. */
type Definition<Kind extends KubernetesObject, Input = unknown> = ResourceDefinition<Kind, Input>;

/** Operations on a Kubernetes API server. */
export interface Client {
  /** True when requests stay in this process. */
  readonly inProcess: boolean;
  /** The object; throws NotFound when there is none. */
  get<Kind extends KubernetesObject>(what: Definition<Kind>, target: Target, options?: GetOptions): Promise<Kind>;
  /** The object, or undefined when there is none. */
  find<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    target: Target,
    options?: GetOptions,
  ): Promise<Kind | undefined>;
  /** One page of objects; the whole list when no limit is given. */
  list<Kind extends KubernetesObject>(what: Definition<Kind>, options?: ListOptions): Promise<KubernetesList<Kind>>;
  /** All objects, page by page. */
  each<Kind extends KubernetesObject>(what: Definition<Kind>, options?: EachOptions): AsyncIterable<Kind>;
  /** Changes as they happen, until the server or the signal ends them. */
  watch<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    options?: WatchOptions,
  ): AsyncIterable<ObjectEvent<Kind>>;
  /**
   * Calls `take` with each change in the moment it comes, for those who follow thousands of objects. Resolves when the server ends the
   * watch; rejects when it fails, `take` throws or the signal aborts.
   */
  follow<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    options: WatchOptions,
    take: (event: ObjectEvent<Kind>) => void,
  ): Promise<void>;
  /** Stores a new object. */
  create<Kind extends KubernetesObject, Input>(
    what: Definition<Kind, Input>,
    object: NoInfer<Input>,
    options?: CreateOptions,
  ): Promise<Kind>;
  /** Replaces an object; its resourceVersion says what it replaces. */
  update<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    object: NoInfer<Kind>,
    options?: UpdateOptions,
  ): Promise<Kind>;
  /** Changes parts of an object. */
  patch<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    target: Target,
    patch: Patch,
    options?: UpdateOptions,
  ): Promise<Kind>;
  /** Reads, changes by `change` and updates, anew when somebody else was faster. */
  modify<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    target: Target,
    change: (object: Kind) => Kind,
    options?: UpdateOptions,
  ): Promise<Kind>;
  /** Server-side apply: these fields shall be so, and belong to the field manager. */
  apply<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    object: NoInfer<ApplyInput<Kind>>,
    options?: ApplyOptions,
  ): Promise<Kind>;
  /** Deletes; answers with the object while it is still there (finalizers, grace period), undefined when it is gone. */
  delete<Kind extends KubernetesObject>(
    what: Definition<Kind>,
    target: Target,
    options?: DeleteOptions,
  ): Promise<Kind | undefined>;
  /** Deletes all selected objects. */
  deleteCollection(what: AnyDefinition, options?: DeleteCollectionOptions): Promise<void>;
  /** Any subresource: "scale", "eviction", "token", "binding" … */
  subresource<Body extends object = KubernetesObject>(what: AnyDefinition, name: string): SubresourceClient<Body>;
  /** A request by path, for what has no resource definition: "/version", "/openapi/v3". */
  request(request: RawRequest): Promise<unknown>;
  /** The same client with other settings. */
  with(settings: ClientSettings): Client;
}

/** Operations on one subresource of a kind. */
export interface SubresourceClient<Body extends object> {
  /** Reads it. */
  get(target: Target, options?: GetOptions): Promise<Body>;
  /** Posts to it, as for evictions and tokens. */
  create(target: Target, body: object, options?: WriteOptions): Promise<Body>;
  /** Replaces it. */
  update(target: Target, body: object, options?: WriteOptions): Promise<Body>;
  /** Changes parts of it. */
  patch(target: Target, patch: Patch, options?: WriteOptions): Promise<Body>;
  /** Applies to it. */
  apply(target: Target, body: object, options?: ApplyOptions): Promise<Body>;
  /** Reads it as it comes, as for logs. */
  stream(target: Target, options?: StreamOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Opens a connection of messages, as for commands in pods. */
  connect(target: Target, options?: StreamOptions): Promise<MessageConnection>;
}

/** Messages in both directions. */
export interface MessageConnection {
  /** What the other side says; returning from the iteration closes the connection. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Says something; absent where only the other side can speak. */
  readonly send: ((message: Uint8Array) => void) | undefined;
}

/** A request by path. */
export interface RawRequest extends CallOptions {
  /** @default "GET" */
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}
