/** How an API server is made: the options of `createApiServer`. */
import type { Clock, Logger, Random } from "@kubewright/core/ports";
import type { CertificatePair } from "@kubewright/node/certificates";
import type { AdmissionOptions } from "../admission/plugins.ts";
import type { AuthOptions } from "../auth/auth.ts";
import type { SpecialEndpoints } from "../endpoints/call.ts";
import type { TablePrinter } from "../printing/print-request.ts";
import type { Strategies } from "../registry/builtin-resources.ts";
import type { Storage } from "../storage/storage.ts";
import type { PodHooks } from "../subresources/pod-hooks.ts";
import type { ResolveService, SendWebhook } from "../webhook/caller.ts";
import type { ChooseFaults } from "./faults.ts";
import type { PathEndpoint } from "./path-endpoints.ts";

/** Options of `createApiServer`. */
export interface ApiServerOptions extends AuthOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** @default in memory */
  readonly storage?: Storage;
  /** @default silent */
  readonly log?: Logger;
  /** Which admission plugins are on. @default those of kube-apiserver as envtest runs it */
  readonly admission?: AdmissionOptions;
  /** How services that webhooks name are reached, and how webhooks are called. @default HTTPS; services have no endpoints */
  readonly webhooks?: { readonly resolveService?: ResolveService; readonly send?: SendWebhook };
  /** Strategies beside those of the built-in kinds, or in their place. @default none */
  readonly strategies?: Strategies;
  /** Logs of pods and connections into them, by whoever runs pods. @default nobody does */
  readonly pods?: PodHooks;
  /** Endpoints beside the common ones, by verb and resource: "get pods/log". @default none */
  readonly endpoints?: SpecialEndpoints;
  /** Paths beside resources. @default none */
  readonly paths?: ReadonlyMap<string, PathEndpoint>;
  /**
   * How many requests of one user are served at once; more are answered with 429 and Retry-After. Members of system:masters,
   * watches, logs and connections into pods are not counted. @default 600
   */
  readonly inFlightMax?: number;
  /** Signs what the server listens with; its client certificates are believed. @default one that is made when it is first needed */
  readonly certificateAuthority?: CertificatePair;
  /** What goes wrong with requests, for tests of clients. @default nothing */
  readonly faults?: ChooseFaults;
  /** @default the columns of kube-apiserver */
  readonly printTable?: TablePrinter;
}
