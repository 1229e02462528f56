/** Events of the core group and of events.k8s.io: the same things under other names. The core form is stored. */
import { type MutableJsonObject, setKey } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { settleObject } from "../kind-strategy.ts";

/** Names in events.k8s.io/v1 by those in v1. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
]);

const CORE_NAMES: ReadonlyMap<string, string> = new Map([...NAMES].map(([core, other]) => [other, core]));

/** Events in the other version. */
export async function convertEvents(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
  return objects.map((object) => settleObject(convertEvent(object, apiVersion)));
}

/** One event in the other version. */
export function convertEvent(object: ApiObject, apiVersion: string): ApiObject {
  if (object.apiVersion === apiVersion) return object;
  const names = apiVersion === "v1" ? CORE_NAMES : NAMES;
  const event: MutableJsonObject = {};
  for (const name of Object.keys(object)) setKey(event, names.get(name) ?? name, object[name]);
  return { ...event, apiVersion, kind: object.kind, metadata: object.metadata };
}
