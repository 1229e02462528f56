/** Events of the core group and of events.k8s.io: the same things under other names. The core form is stored. */
import type { Json, JsonObject } from "@kubewright/core/meta";
import type { ApiObject } from "../../resource/object.ts";
import { settleObject } from "../kind-strategy.ts";

/** Names in events.k8s.io/v1 by those in v1. */
const NAMES: Readonly<Record<string, string>> = {
  involvedObject: "regarding",
  message: "note",
  reportingComponent: "reportingController",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
};

const CORE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES).map(([core, other]) => [other, core]),
);

/** Events in the other version. */
export async function convertEvents(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
  return objects.map((object) => settleObject(convertEvent(object, apiVersion)));
}

/** One event in the other version. */
export function convertEvent(object: ApiObject, apiVersion: string): ApiObject {
  if (object.apiVersion === apiVersion) return object;
  const names = apiVersion === "v1" ? CORE_NAMES : NAMES;
  const entries = Object.entries(object as JsonObject).map(([name, value]): [string, Json | undefined] => [
    names[name] ?? name,
    value,
  ]);
  return { ...Object.fromEntries(entries), apiVersion } as ApiObject;
}
