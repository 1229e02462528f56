/**
 * Whose fault a rejected promise is that nobody awaited: what a reconcile began carries the reconcile along, so that its failure becomes a
 * failure of that reconcile instead of the end of the process. run-operator.ts asks when Node.js reports such a promise.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Cancel } from "@kubewright/core/ports";

/** The reconcile to which an asynchronous chain belongs. */
export interface Attribution {
  /** Takes the failure of something that the reconcile began and did not await. */
  readonly fail: (reason: unknown) => void;
}

const current = new AsyncLocalStorage<Attribution>();

/** How many may ask. Where nobody does nothing is carried along, for that costs something at every await. */
let askers = 0;

/** Somebody may ask from now on, about what begins from now on, until cancelled. */
export function beginAttribution(): Cancel {
  askers += 1;
  return () => {
    askers -= 1;
  };
}

/** Runs `work` so that whatever it begins belongs to `attribution`. */
export function attributed<Value>(attribution: Attribution, work: () => Value): Value {
  return askers === 0 ? work() : current.run(attribution, work);
}

/** Hands an unhandled rejection to the reconcile that it belongs to; false when it belongs to none. */
export function attributeRejection(reason: unknown): boolean {
  const attribution = current.getStore();
  attribution?.fail(reason);
  return attribution !== undefined;
}
