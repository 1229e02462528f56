/**
 * GET of a collection with `watch`: what is there now (when asked for), then every change, bookmarks in between. Once
 * the stream has begun, errors are events in it. watch-session.ts runs it.
 */
import { apiVersionOf, deepFreeze, stringifyJson } from "@kubewright/core/meta";
import { notAcceptable } from "@kubewright/core/protocol";
import { isCurrent, presentObject, presentTexts } from "../registry/read.ts";
import type { ApiResponse } from "../request/request.ts";
import { decodeObject } from "../resource/object.ts";
import type { ResourceCall } from "./call.ts";
import { parseListOptions, parseRevision, requireValidListOptions } from "./list-options.ts";
import { negotiate, type Representation, STREAM_TYPES_NAMED } from "./representation.ts";
import { showObject } from "./respond.ts";
import { awaitRevision } from "./revision.ts";
import { encodeFrame, type FrameForm, type ToldEvent } from "./watch-frames.ts";
import { openWatch } from "./watch-session.ts";

/** Serves "watch". */
export async function handleWatch(call: ResourceCall): Promise<ApiResponse> {
  const { resource, request, backend } = call;
  const representation = negotiate(call);
  if (representation.format === "yaml") throw notAcceptable(STREAM_TYPES_NAMED);
  const options = parseListOptions(queryOf(call), resource);
  requireValidListOptions(options, true);
  const { resourceVersion, sendInitialEvents } = options;
  const wantsInitial = sendInitialEvents ?? (resourceVersion === "" || resourceVersion === "0");
  const asked = parseRevision(resourceVersion, "watch");
  if (wantsInitial) await awaitRevision(backend, asked ?? 0, request.signal);
  const { revision } = backend.storage;
  const afterRevision = wantsInitial ? revision : (asked ?? revision);
  const handsOver = (request.takesValues ?? false) !== false && representation.as === "object";
  const form = handsOver ? handedForm(call) : frameForm(call, representation);
  const body = openWatch(call, { options, form, wantsInitial, afterRevision });
  const headers = { "content-type": "application/json" };
  const whenTooSlow = (cutOff: () => void): void => body.whenTooSlow(cutOff);
  return { status: 200, headers, body, whenTooSlow, ...(handsOver ? { events: body.events() } : {}) };
}

/** A watch path may name its object, and then selects by nothing else. */
function queryOf({ info }: ResourceCall): URLSearchParams {
  if (!info.isWatchPath || info.name === "") return info.query;
  const query = new URLSearchParams(info.query);
  query.set("fieldSelector", `metadata.name=${info.name.replace(/[\\,=]/g, "\\$&")}`);
  return query;
}

/** Events of the stored objects themselves, for watchers in the same process. */
function handedForm({ resource, backend, request }: ResourceCall): FrameForm {
  const isLean = request.takesValues === "lean";
  return {
    make: ({ type, entry }) => {
      if (type === "BOOKMARK" || isCurrent(resource, entry)) {
        const lean = isLean ? entry.value?.object : undefined;
        return { type, object: lean ?? backend.storage.objectOf(entry) };
      }
      return presentObject(resource, entry).then((object) => ({ type, object: deepFreeze(object) }));
    },
  };
}

/** How events look to a watcher that asked for this representation. */
function frameForm(call: ResourceCall, representation: Representation): FrameForm {
  const { resource, info } = call;
  const { as, metaVersion } = representation;
  const version = apiVersionOf(resource.definition);
  if (as === "object") return { variant: version, make: (told) => objectFrame(call, told) };
  const variant = `${version} ${as} ${metaVersion} ${info.query.get("includeObject") ?? ""}`;
  const later = {
    variant,
    make: (told: ToldEvent) => shownFrame(call, { ...representation, withColumns: false }, told),
  };
  if (as !== "Table") return later;
  return { variant: `${variant} first`, make: (told) => shownFrame(call, representation, told), later };
}

function objectFrame({ resource }: ResourceCall, { type, entry }: ToldEvent): Uint8Array | Promise<Uint8Array> {
  if (type === "BOOKMARK" || isCurrent(resource, entry)) return encodeFrame(type, entry.text);
  return presentTexts(resource, [entry]).then(([text = ""]) => encodeFrame(type, text));
}

async function shownFrame(
  call: ResourceCall,
  representation: Representation,
  { type, entry }: ToldEvent,
): Promise<Uint8Array> {
  const [text = ""] = type === "BOOKMARK" ? [entry.text] : await presentTexts(call.resource, [entry]);
  return encodeFrame(type, stringifyJson(await showObject(call, representation, decodeObject(text))));
}
