/**
 * Watch events on the wire: one JSON object per line. Servers encode (the object's text is made once and shared by all
 * watchers); clients decode the bytes as they come. An "ERROR" event carries a Status; "BOOKMARK" only a version.
 */
import type { Json, JsonObject } from "../meta/json.ts";
import { getKey, isJsonObject } from "../meta/json.ts";
import { parseJson, stringifyJson } from "../meta/json-text.ts";
import { malformed } from "../meta/malformed.ts";
import { createLineDecoder, type LineDecoderOptions } from "./line-decoder.ts";

/** What happened. */
export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** One event of a watch. */
export interface WatchEvent<Kind = JsonObject> {
  readonly type: WatchEventType;
  readonly object: Kind;
}

/** The annotation of the bookmark after which a watch has told all initial objects. */
export const INITIAL_EVENTS_END_ANNOTATION = "k8s.io/initial-events-end";

/** The line of an event, newline included. */
export function encodeWatchEvent(event: WatchEvent<unknown>): string {
  return frameWatchEvent(event.type, stringifyJson(event.object));
}

/** The line of an event whose object is JSON text already. */
export function frameWatchEvent(type: WatchEventType, objectText: string): string {
  return `{"type":"${type}","object":${objectText}}\n`;
}

/** The event on one line. Throws `MalformedError`. */
export function decodeWatchEvent(line: string | Uint8Array): WatchEvent {
  const value = parseJson(line);
  if (!isJsonObject(value)) throw malformed(`a watch event must be an object, got ${describe(value)}`);
  const type = getKey(value, "type");
  const object = getKey(value, "object");
  if (!isWatchEventType(type)) throw malformed(`unknown type of watch event: ${describe(type)}`);
  if (!isJsonObject(object)) throw malformed(`a watch event's object must be an object, got ${describe(object)}`);
  return { type, object };
}

/** The events of a response body, as they arrive. Throws `MalformedError` when a line is none or too long. */
export async function* decodeWatchEvents(
  body: AsyncIterable<Uint8Array>,
  options: LineDecoderOptions = {},
): AsyncGenerator<WatchEvent, void, void> {
  const decoder = createLineDecoder(options);
  for await (const chunk of body) {
    for (const line of decoder.push(chunk)) yield decodeWatchEvent(line);
  }
  const rest = decoder.end();
  if (rest.length > 0) yield decodeWatchEvent(rest); // A last line without its newline is whole, or does not parse.
}

const TYPES: ReadonlySet<unknown> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);

function isWatchEventType(value: unknown): value is WatchEventType {
  return TYPES.has(value);
}

function describe(value: Json | undefined): string {
  return value === undefined ? "nothing" : stringifyJson(value).slice(0, 80);
}
