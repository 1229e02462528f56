/** What the registry's operations work with; the server puts it together once, endpoints add their own parts. */
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { ObjectReader } from "../resource/strategy.ts";
import type { Storage } from "../storage/storage.ts";
import type { CallWebhook } from "../webhook/caller.ts";
import type { Registry } from "./registry.ts";

/** The parts below the endpoints. */
export interface Backend {
  readonly storage: Storage;
  readonly registry: Registry;
  readonly admission: readonly AdmissionPlugin[];
  readonly reader: ObjectReader;
  /** Calls webhooks: those of admission, and those that convert custom resources. */
  readonly callWebhook: CallWebhook;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}
