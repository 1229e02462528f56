/**
 * The reflector: follows one kind on the API server by list and watch, for ever, and feeds a sink (the informer). The
 * state machine is in reflector-state.ts; this loop does its I/O. It resumes after a broken or silent watch, lists anew when its
 * version expired, and backs off while the server is away. It ends only by its signal.
 */
import { apiVersionOf, type KubernetesObject, type ResourceDefinition } from "@kubewright/core/meta";
import { type Clock, type Random, sleep } from "@kubewright/core/ports";
import { type ApiError, isApiError, isExpired, isTooLargeResourceVersion } from "@kubewright/core/protocol";
import type { Client } from "../client/client.ts";
import type { SelectOptions } from "../client/options.ts";
import type { ObjectEvent } from "../client/watch.ts";
import { type Arrival, identityOf } from "./arrival.ts";
import { idleDeadline } from "./idle-deadline.ts";
import {
  delayBeforeMs,
  emptyInProcessState,
  emptyState,
  nextState,
  type ReflectorInput,
  type ReflectorState,
} from "./reflector-state.ts";

/** A watch without a byte for this long is taken for dead. Servers send bookmarks at least once a minute. */
const SILENCE_MS_MAX = 70_000;

/** Watches are asked to last between one and two times this long, so that they do not all end together. */
const WATCH_SECONDS_MIN = 300;

/** In the same process nothing breaks or falls silent: one watch lasts, without bookmarks, as long as a timer can. */
const WATCH_SECONDS_IN_PROCESS = 86_400;

/** A watch that ends within this time counts as a failure, whatever it brought, lest it becomes a busy loop. */
const WATCH_MS_MIN = 1_000;

const PAGE_SIZE = 500;

/** Takes what the reflector learns. */
export interface ReflectorSink<Kind extends KubernetesObject> {
  /** All objects follow, by `put`, up to `listed`. */
  listing(): void;
  /** An object as it is now. */
  put(arrival: Arrival<Kind>): void;
  /** An object is gone; its last state. */
  remove(last: Arrival<Kind>): void;
  /** All objects at this version were put. */
  listed(resourceVersion: string): void;
  /** Everything up to this version was put. */
  progress(resourceVersion: string): void;
  /** The server answered: it can be reached. */
  answered(): void;
  /** A request failed; the reflector goes on by itself. */
  failed(error: unknown): void;
}

/** What a reflector follows, and with what. */
export interface ReflectorOptions<Kind extends KubernetesObject> {
  readonly client: Client;
  readonly definition: ResourceDefinition<Kind, unknown>;
  readonly select: SelectOptions;
  readonly sink: ReflectorSink<Kind>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Follows the kind until the signal aborts; never rejects. */
export async function runReflector<Kind extends KubernetesObject>(options: ReflectorOptions<Kind>): Promise<void> {
  let state: ReflectorState = options.client.inProcess ? emptyInProcessState : emptyState;
  const feed = (input: ReflectorInput): void => {
    state = nextState(state, input);
  };
  while (!options.signal.aborted) {
    try {
      await sleepUnless(delayBeforeMs(state, options.random), options);
      if (state.phase === "watching") await follow(options, state.resourceVersion, feed);
      else if (state.fetch === "stream") await follow(options, undefined, feed);
      else await listAll(options, state.fetch === "pages" ? PAGE_SIZE : undefined, feed);
    } catch (error) {
      if (options.signal.aborted) return;
      feed(inputFor(error, state));
      if (!isUnsupported(error, state)) options.sink.failed(error);
    }
  }
}

/** One watch: from a version, or, without one, from all objects on. Returns when the server ends it. */
async function follow<Kind extends KubernetesObject>(
  options: ReflectorOptions<Kind>,
  resourceVersion: string | undefined,
  feed: (input: ReflectorInput) => void,
): Promise<void> {
  const { client, definition, select, sink, clock, random, signal } = options;
  const startedMs = clock.monotonic();
  if (resourceVersion === undefined) sink.listing();
  using deadline = client.inProcess ? undefined : idleDeadline(clock, SILENCE_MS_MAX, signal);
  const lastsSeconds = client.inProcess ? WATCH_SECONDS_IN_PROCESS : WATCH_SECONDS_MIN * (1 + random.next());
  const watching = {
    ...select,
    ...(resourceVersion === undefined
      ? { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" as const }
      : { resourceVersion }),
    allowBookmarks: !client.inProcess,
    dropsManagedFields: true,
    onOpen: sink.answered,
    timeoutSeconds: Math.floor(lastsSeconds),
    ...(deadline === undefined ? { signal } : { onActivity: deadline.renew, signal: deadline.signal }),
  };
  const ports = { sink, feed };
  let isListing = resourceVersion === undefined;
  await client.follow(definition, watching, (event) => {
    isListing = take(event, isListing, ports);
  });
  feed({ kind: clock.monotonic() - startedMs < WATCH_MS_MIN ? "failed" : "ended" });
}

/** Hands one event on; answers whether initial objects are still to come, whose versions say nothing about what else is known. */
function take<Kind extends KubernetesObject>(
  event: ObjectEvent<Kind>,
  isListing: boolean,
  { sink, feed }: { readonly sink: ReflectorSink<Kind>; readonly feed: (input: ReflectorInput) => void },
): boolean {
  if (event.type === "BOOKMARK") {
    const { resourceVersion } = event;
    if (event.initialEventsEnd) sink.listed(resourceVersion);
    else sink.progress(resourceVersion);
    feed({ kind: event.initialEventsEnd ? "listed" : "progress", resourceVersion });
    return isListing && !event.initialEventsEnd;
  }
  if (event.type === "DELETED") sink.remove(event);
  else sink.put(event);
  const { resourceVersion } = isListing ? {} : identityOf(event);
  if (resourceVersion === undefined) return isListing;
  sink.progress(resourceVersion);
  feed({ kind: "progress", resourceVersion });
  return isListing;
}

/** All objects by lists at the newest version. */
async function listAll<Kind extends KubernetesObject>(
  options: ReflectorOptions<Kind>,
  pageSize: number | undefined,
  feed: (input: ReflectorInput) => void,
): Promise<void> {
  const { client, definition, select, sink, signal } = options;
  sink.listing();
  let token: string | undefined;
  let resourceVersion = "";
  do {
    const page = await client.list(definition, {
      ...select,
      ...(pageSize === undefined ? {} : { limit: pageSize }),
      continue: token,
      signal,
    });
    sink.answered();
    for (const item of page.items) sink.put({ object: withKindOf(item, definition) });
    resourceVersion = page.metadata.resourceVersion ?? "";
    token = page.metadata.continue === "" ? undefined : page.metadata.continue;
  } while (token !== undefined);
  sink.listed(resourceVersion);
  feed({ kind: "listed", resourceVersion });
}

/** Items of a list carry no apiVersion and kind of their own for built-in kinds; objects of a watch do. */
function withKindOf<Kind extends KubernetesObject>(item: Kind, definition: ResourceDefinition<Kind, unknown>): Kind {
  if (item.kind !== undefined && item.apiVersion !== undefined) return item;
  return { apiVersion: apiVersionOf(definition), kind: definition.kind, ...item };
}

function inputFor(error: unknown, state: ReflectorState): ReflectorInput {
  if (isExpired(error) || isTooLargeResourceVersion(error)) return { kind: "expired" };
  return { kind: isUnsupported(error, state) ? "unsupported" : "failed" };
}

/** A server without initial events refuses the parameter as invalid or forbidden input. */
function isUnsupported(error: unknown, state: ReflectorState): boolean {
  return state.phase === "empty" && state.fetch === "stream" && isApiError(error) && isBadInput(error);
}

function isBadInput(error: ApiError): boolean {
  return error.code === 400 || error.code === 422;
}

async function sleepUnless<Kind extends KubernetesObject>(
  delayMs: number,
  { clock, signal }: ReflectorOptions<Kind>,
): Promise<void> {
  if (delayMs > 0) await sleep(clock, delayMs, signal);
}
