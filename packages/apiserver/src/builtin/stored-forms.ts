/** Kinds whose objects are served under several names or versions, but stored in one. */
import type { StoredForms } from "../registry/builtin-resources.ts";
import { convertAutoscalers } from "./autoscaler-conversion.ts";
import { convertEvents } from "./events/event-conversion.ts";

const events = { storageName: "events", storageApiVersion: "v1", convert: convertEvents, isRenamed: true };
const autoscalers = {
  storageName: "horizontalpodautoscalers.autoscaling",
  storageApiVersion: "autoscaling/v2",
  convert: convertAutoscalers,
};

/** All of them, by "group/version/plural". */
export const storedForms: StoredForms = new Map([
  ["/v1/events", events],
  ["events.k8s.io/v1/events", events],
  ["autoscaling/v1/horizontalpodautoscalers", autoscalers],
  ["autoscaling/v2/horizontalpodautoscalers", autoscalers],
]);
