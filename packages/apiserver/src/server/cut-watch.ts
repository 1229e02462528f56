/** The answer to a watch that ends before its time: after so many events, cleanly or not. */
import type { HandedEvent } from "@kubewright/core/ports";
import type { ApiResponse } from "../request/request.ts";

/** Where and how to end. */
export interface WatchEnd {
  readonly afterEvents: number;
  /** "broken": reading fails; "ended": there is nothing more. */
  readonly as: "ended" | "broken";
}

const NEWLINE = 0x0a;

/** The answer, cut. One that is no stream stays as it is. */
export function endAfter(response: ApiResponse, end: WatchEnd): ApiResponse {
  const { body, events } = response;
  if (typeof body === "string" || body instanceof Uint8Array) {
    return events === undefined ? response : { ...response, events: cut(events, end, takeEvents) };
  }
  const cutEvents = events === undefined ? {} : { events: cut(events, end, takeEvents) };
  return { ...response, body: cut(body, end, takeLines), ...cutEvents };
}

/** The first events of a part, and how many they are. */
type Take<Part> = (part: Part, count: number) => { readonly part: Part; readonly taken: number };

async function* cut<Part>(source: AsyncIterable<Part>, end: WatchEnd, take: Take<Part>): AsyncGenerator<Part> {
  let left = end.afterEvents;
  if (left === 0) await release(source);
  else {
    for await (const whole of source) {
      const { part, taken } = take(whole, left);
      yield part;
      left -= taken;
      if (left === 0) break;
    }
  }
  if (end.as === "broken" && left === 0) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}

/** Lets go of a stream that nobody reads. */
export async function release(source: ApiResponse["body"] | AsyncIterable<unknown>): Promise<void> {
  if (typeof source === "string" || source instanceof Uint8Array) return;
  await source[Symbol.asyncIterator]().return?.();
}

function takeEvents(part: readonly HandedEvent[], count: number): ReturnType<Take<readonly HandedEvent[]>> {
  const events = part.slice(0, count);
  return { part: events, taken: events.length };
}

/** Each event is a line. */
function takeLines(part: Uint8Array, count: number): ReturnType<Take<Uint8Array>> {
  let [end, taken] = [0, 0];
  while (taken < count && end < part.byteLength) {
    const newline = part.indexOf(NEWLINE, end);
    end = newline === -1 ? part.byteLength : newline + 1;
    taken++;
  }
  return { part: part.subarray(0, end), taken };
}
