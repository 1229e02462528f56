/**
 * One running watch: initial objects, then events as storage tells them, bookmarks and the end by the clock. It lives
 * from `openWatch` until its stream ends, and leaves no timer and no listener behind.
 */
import { apiVersionOf, stringifyJson } from "@kubewright/core/meta";
import type { Cancel } from "@kubewright/core/ports";
import { expired, INITIAL_EVENTS_END_ANNOTATION } from "@kubewright/core/protocol";
import { CRD_RESOURCE } from "../custom/custom-resources.ts";
import { presentObjects } from "../registry/read.ts";
import type { StoredEntry, StoredEvent } from "../storage/storage.ts";
import type { ResourceCall } from "./call.ts";
import type { ListOptions } from "./list-options.ts";
import { type Frame, type FrameForm, failureEvent, NOTHING, type Piece, tellTransition } from "./watch-frames.ts";
import { WatchStream } from "./watch-stream.ts";

const TIMEOUT_SECONDS_MIN = 1800;
const BOOKMARK_PERIOD_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;

/** What a watch is asked to do. */
export interface WatchPlan {
  readonly options: ListOptions;
  readonly form: FrameForm;
  /** Begin with everything that is there. */
  readonly wantsInitial: boolean;
  /** Tell what happened after this revision. */
  readonly afterRevision: number;
}

/** Starts a watch; the stream is its body. */
export function openWatch(call: ResourceCall, plan: WatchPlan): WatchStream {
  return new WatchSession(call, plan).open();
}

class WatchSession {
  readonly #call: ResourceCall;
  readonly #plan: WatchPlan;
  readonly #stream: WatchStream;
  /** The form of the next event. */
  #form: FrameForm;
  /** How the keys of watched objects start. */
  readonly #prefix: string;
  readonly #cleanups: Cancel[] = [];
  #cancelBookmark: Cancel = () => {};

  constructor(call: ResourceCall, plan: WatchPlan) {
    this.#call = call;
    this.#plan = plan;
    this.#form = plan.form;
    const { resource, info } = call;
    this.#prefix = resource.definition.scope === "Namespaced" && info.namespace !== "" ? `${info.namespace}/` : "";
    this.#stream = new WatchStream(plan.wantsInitial ? this.#initialFrames() : [], () => this.#cleanUp());
  }

  open(): WatchStream {
    const { backend, resource, request } = this.#call;
    const { afterRevision } = this.#plan;
    const watch = backend.storage.watch(resource.storageName, afterRevision, (event) => this.#tell(event));
    if (watch === undefined) return this.#refuse();
    this.#cleanups.push(watch.cancel);
    this.#endWith(request.signal);
    if (resource.custom === true) this.#endWithKind();
    this.#scheduleEnd();
    for (const event of watch.backlog) this.#tell(event);
    return this.#stream;
  }

  /** The objects there are now, in order, and the mark that they were all. The list is taken before any later event. */
  #initialFrames(): Iterable<Frame> {
    const { backend, resource } = this.#call;
    const { options } = this.#plan;
    const { entries } = backend.storage.list(resource.storageName, { prefix: this.#prefix }) ?? { entries: [] };
    if (options.selection.isOfVersion) return this.#convertedFrames(entries);
    const chosen = options.selection.isEverything
      ? entries
      : entries.filter((entry) => options.selection.matchesEntry(entry));
    const firstForm = chosen.length > 0 ? this.#takeForm() : this.#form;
    const laterForm = this.#form;
    const end = options.allowWatchBookmarks ? [this.#bookmark({ isInitialEnd: true })] : [];
    return (function* frames() {
      for (const [index, entry] of chosen.entries()) {
        yield (index === 0 ? firstForm : laterForm).make({ type: "ADDED", entry });
      }
      yield* end;
    })();
  }

  /** The same where objects must be converted to know which are meant: all at once, when the first is asked for. */
  *#convertedFrames(entries: readonly StoredEntry[]): Iterable<Frame> {
    const { resource } = this.#call;
    const { options } = this.#plan;
    const end = options.allowWatchBookmarks ? [this.#bookmark({ isInitialEnd: true })] : [];
    const objects = presentObjects(resource, entries);
    const make = async (entry: StoredEntry): Promise<Piece> => {
      const found = (await objects).get(entry);
      const isMeant = options.selection.matchesEntry(entry, found && (() => found));
      return isMeant ? this.#form.make({ type: "ADDED", entry }) : NOTHING;
    };
    for (const entry of entries) yield make(entry);
    yield* end;
  }

  async #convertedFrame(event: StoredEvent): Promise<Piece> {
    const { resource } = this.#call;
    const { selection } = this.#plan.options;
    const { entry, previous, type } = event;
    const versions = [entry, previous].filter((each) => each !== undefined);
    const objects = await presentObjects(resource, versions);
    const matches = (each: StoredEntry): boolean => {
      const found = objects.get(each);
      return selection.matchesEntry(each, found && (() => found));
    };
    const now = type !== "deleted" && matches(entry);
    const told = tellTransition(event, { now, before: previous !== undefined && matches(previous) });
    return told === undefined ? NOTHING : this.#form.make(told);
  }

  #tell(event: StoredEvent): void {
    const { options, afterRevision } = this.#plan;
    const { frames } = this.#call.backend;
    if (event.revision <= afterRevision || !event.entry.key.startsWith(this.#prefix)) return;
    if (options.selection.isOfVersion) {
      this.#stream.push(this.#convertedFrame(event));
      return;
    }
    const told = frames.told(event, options.selection);
    if (told !== undefined) this.#stream.push(frames.frame(event, told, this.#takeForm()));
  }

  #takeForm(): FrameForm {
    const form = this.#form;
    this.#form = form.later ?? form;
    return form;
  }

  #refuse(): WatchStream {
    const { backend, resource } = this.#call;
    const oldest = backend.storage.compactedRevision(resource.storageName);
    const message = `too old resource version: ${this.#plan.afterRevision} (${oldest})`;
    this.#stream.push(failureEvent(expired(message)));
    this.#stream.end();
    return this.#stream;
  }

  #endWith(signal: AbortSignal): void {
    const onAbort = (): void => this.#stream.abort();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#cleanups.push(() => signal.removeEventListener("abort", onAbort));
    if (signal.aborted) onAbort();
  }

  /** A custom kind may cease to be served: whoever watches it is to learn that. */
  #endWithKind(): void {
    const { backend, resource } = this.#call;
    const { group, version, plural } = resource.definition;
    const { storage, registry } = backend;
    const watch = storage.watch(CRD_RESOURCE, storage.revision, ({ entry }) => {
      const isMeant = entry.key === `${plural}.${group}`;
      if (isMeant && registry.find(group, version, plural) === undefined) this.#stream.end();
    });
    if (watch !== undefined) this.#cleanups.push(watch.cancel);
  }

  #scheduleEnd(): void {
    const { clock, random } = this.#call.backend;
    const { timeoutSeconds, allowWatchBookmarks } = this.#plan.options;
    const seconds = timeoutSeconds > 0 ? timeoutSeconds : TIMEOUT_SECONDS_MIN * (1 + random.next());
    const endMs = seconds * 1000;
    this.#cleanups.push(clock.schedule(endMs, () => this.#stream.end()));
    if (allowWatchBookmarks) this.#scheduleBookmark(clock.monotonic() + endMs);
  }

  /** Every minute, and once more shortly before the end. */
  #scheduleBookmark(endsAtMs: number): void {
    const { clock } = this.#call.backend;
    const leftMs = endsAtMs - clock.monotonic() - BOOKMARK_BEFORE_END_MS;
    if (leftMs <= 0) return;
    this.#cancelBookmark = clock.schedule(Math.min(BOOKMARK_PERIOD_MS, leftMs), () => {
      this.#stream.push(this.#bookmark({ isInitialEnd: false }));
      this.#scheduleBookmark(endsAtMs);
    });
  }

  #bookmark({ isInitialEnd }: { readonly isInitialEnd: boolean }): Frame {
    const { resource, backend } = this.#call;
    const { revision } = backend.storage;
    const annotations = isInitialEnd ? { annotations: { [INITIAL_EVENTS_END_ANNOTATION]: "true" } } : {};
    const object = {
      kind: resource.definition.kind,
      apiVersion: apiVersionOf(resource.definition),
      metadata: { resourceVersion: String(revision), ...annotations },
    };
    return this.#takeForm().make({ type: "BOOKMARK", entry: { key: "", revision, text: stringifyJson(object) } });
  }

  #cleanUp(): void {
    this.#cancelBookmark();
    for (const cleanup of this.#cleanups) cleanup();
  }
}
