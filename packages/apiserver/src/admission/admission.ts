/**
 * The admission chain: plugins that may change an object before it is validated, then plugins that may refuse it
 * after. The registry's create, update and delete run it; connect and read subresources run it from their endpoints.
 * Without plugins everything is admitted as it is.
 */
import type { JsonObject } from "@kubewright/core/meta";
import type { User } from "../request/user.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { ObjectReader } from "../resource/strategy.ts";

/** What is being admitted. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: ServedResource;
  /** "" on the main resource. */
  readonly subresource: string;
  /** "" when the name is yet to be generated. */
  readonly name: string;
  readonly namespace: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: JsonObject;
  /** The object as it would be stored; absent for DELETE. */
  readonly object?: ApiObject;
  /** The object as it is stored; absent for CREATE. */
  readonly oldObject?: ApiObject;
  readonly reader: ObjectReader;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
}

/** A request in the mutating phase. */
export interface MutatingRequest extends AdmissionRequest {
  readonly object: ApiObject;
  readonly reinvocation: Reinvocation;
  /** Brings a changed object back to defaulted form; `known`, from which it was made, is in it. */
  settle(object: ApiObject, known?: ApiObject): ApiObject;
}

/**
 * The second round of the mutating phase. When a webhook or a policy changed the object, all plugins run once more;
 * `notes` keeps what a plugin has to remember of the first round, by its name.
 */
export interface Reinvocation {
  readonly isSecondRound: boolean;
  readonly notes: Map<string, unknown>;
  /** Asks for a second round. */
  request(): void;
}

/** One admission plugin. Both steps are optional; throwing an ApiError refuses the request. */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` names it: "NamespaceLifecycle". */
  readonly name: string;
  /** Qualified names of the resources that concern it: "pods", "deployments.apps". @default all */
  readonly resources?: ReadonlySet<string>;
  /**
   * Whether it now shows objects to others (webhooks, policies), who may look at managedFields, which otherwise need not be
   * worked out. @default never
   */
  readonly seesOwners?: () => boolean;
  /** The object to go on with: the same, or a changed copy. Not called when there is no object. */
  readonly mutate?: (object: ApiObject, request: MutatingRequest) => ApiObject | Promise<ApiObject>;
  /** Throws to refuse. For DELETE, too. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>;
}

/** Runs the mutating steps in order; `settle` brings a changed object back to defaulted form. */
export function admitMutating(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest & { readonly object: ApiObject },
  settle: MutatingRequest["settle"],
): ApiObject | Promise<ApiObject> {
  const concerned = pluginsFor(plugins, request.resource).mutating;
  if (concerned.length === 0) return request.object;
  const first = new Round();
  const again = (object: ApiObject): ApiObject | Promise<ApiObject> =>
    first.wantsAnother
      ? runRound(concerned, { ...request, object, reinvocation: new Round(first.notes), settle })
      : object;
  const once = runRound(concerned, { ...request, reinvocation: first, settle });
  return once instanceof Promise ? once.then(again) : again(once);
}

class Round implements Reinvocation {
  readonly isSecondRound: boolean;
  wantsAnother = false;
  /** Made with the first note: hardly a write has any. */
  #notes: Map<string, unknown> | undefined;

  constructor(notesOfFirst?: Map<string, unknown>) {
    this.isSecondRound = notesOfFirst !== undefined;
    this.#notes = notesOfFirst;
  }

  get notes(): Map<string, unknown> {
    this.#notes ??= new Map();
    return this.#notes;
  }

  request(): void {
    this.wantsAnother = true;
  }
}

/** How far a round has come. */
interface RoundState {
  readonly next: number;
  readonly object: ApiObject;
  /** The latest form that is settled. */
  readonly settled: ApiObject;
}

/** At once, unless a plugin takes time. */
function runRound(
  plugins: readonly AdmissionPlugin[],
  request: MutatingRequest,
  start: RoundState = { next: 0, object: request.object, settled: request.object },
): ApiObject | Promise<ApiObject> {
  let { object, settled } = start;
  let told = object === request.object ? request : { ...request, object };
  for (let index = start.next; index < plugins.length; index++) {
    const plugin = plugins[index] as AdmissionPlugin;
    // Others see objects as they would be stored; Kubernetes' own plugins add what needs no defaults.
    if (object !== settled && plugin.seesOwners?.() === true) object = settled = request.settle(object, settled);
    const before = object;
    if (told.object !== object) told = { ...request, object };
    const result = plugin.mutate?.(object, told);
    if (result instanceof Promise) {
      return result.then((mutated) =>
        runRound(plugins, request, { next: index + 1, object: mutated ?? before, settled }),
      );
    }
    object = result ?? object;
  }
  return object === settled ? object : request.settle(object, settled);
}

/** Runs the validating steps in order; the first refusal ends it. At once, unless a plugin takes time. */
export function admitValidating(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): void | Promise<void> {
  return validateFrom(0, pluginsFor(plugins, request.resource).validating, request);
}

function validateFrom(
  next: number,
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest,
): void | Promise<void> {
  for (let index = next; index < plugins.length; index++) {
    const result = plugins[index]?.validate?.(request);
    if (result instanceof Promise) return result.then(() => validateFrom(index + 1, plugins, request));
  }
}

const seeingByChain = new WeakMap<readonly AdmissionPlugin[], readonly AdmissionPlugin[]>();

/** Whether a plugin of the chain now shows objects to others; only few ever do. */
export function showsToOthers(plugins: readonly AdmissionPlugin[]): boolean {
  const seeing = seeingByChain.get(plugins) ?? plugins.filter(({ seesOwners }) => seesOwners !== undefined);
  seeingByChain.set(plugins, seeing);
  return seeing.some((plugin) => plugin.seesOwners?.() === true);
}

/** The plugins of a chain that one resource concerns. */
interface ConcernedPlugins {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
}

const concernedByChain = new WeakMap<readonly AdmissionPlugin[], Map<string, ConcernedPlugins>>();

/** Found once for each resource: most plugins are for a few kinds, and every write asks. */
function pluginsFor(plugins: readonly AdmissionPlugin[], { storageName }: ServedResource): ConcernedPlugins {
  const byResource = concernedByChain.get(plugins) ?? new Map<string, ConcernedPlugins>();
  concernedByChain.set(plugins, byResource);
  const known = byResource.get(storageName);
  if (known !== undefined) return known;
  const concerned = plugins.filter(({ resources }) => resources === undefined || resources.has(storageName));
  const found = {
    mutating: concerned.filter(({ mutate }) => mutate !== undefined),
    validating: concerned.filter(({ validate }) => validate !== undefined),
  };
  byResource.set(storageName, found);
  return found;
}
