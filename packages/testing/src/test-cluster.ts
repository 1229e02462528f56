/**
 * What `startCluster` takes and gives, whatever the provider. embedded-cluster.ts and real/real-test-cluster.ts make it.
 */
import type { ClusterOptions } from "@kubewright/cluster";
import type { Clock, Logger, Transport } from "@kubewright/core/ports";
import type { CustomResource } from "@kubewright/core/schema";
import type { AnyController, Client, DurationInput, Manager } from "@kubewright/runtime";
import type { RealLevel } from "./real/find-programs.ts";

/** Where clusters come from. */
export const PROVIDERS = ["embedded", "envtest"] as const;

/** Where a cluster comes from: in this process, or the programs of Kubernetes itself. */
export type Provider = (typeof PROVIDERS)[number];

/** Options of `startCluster`. */
export interface TestClusterOptions extends Pick<ClusterOptions, "metrics" | "nodes" | "scripts"> {
  /** The controllers under test; the CRDs of their kinds are installed. @default [] */
  readonly controllers?: readonly AnyController[];
  /** Custom resources beside those that the controllers are for. @default [] */
  readonly resources?: readonly CustomResource[];
  /**
   * A test that needs what only one provider has says so here: virtual time and container scripts are embedded.
   * @default $KUBEWRIGHT_TEST_PROVIDER, or "embedded"
   */
  readonly provider?: Provider;
  /** How much of a real Kubernetes runs. @default $KUBEWRIGHT_TEST_LEVEL, or "controllers" */
  readonly level?: RealLevel;
  /** A real cluster that runs already. @default $KUBEWRIGHT_TEST_KUBECONFIG, or one is started for this test */
  readonly kubeconfig?: string;
  /**
   * Which built-in controllers run on an embedded cluster, as `controllers` of `createCluster` says it.
   * @default ["*", "-node-lease-controller"]
   */
  readonly clusterControllers?: readonly string[];
  /** Gives another, equally repeatable, run of an embedded cluster. @default 1 */
  readonly seed?: number;
  /** Where virtual time begins, in milliseconds since the epoch. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number;
  /** @default nothing is logged */
  readonly log?: Logger;
}

/** A cluster with the controllers under test, for one test. */
export interface TestCluster extends AsyncDisposable {
  /** Its names are in `namespace`. */
  readonly client: Client;
  /** A namespace that no other test uses. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Requests as an administrator. */
  readonly transport: Transport;
  /** What runs the controllers under test. */
  readonly manager: Manager;
  /** Path of an administrator's kubeconfig; undefined on an embedded cluster, where nothing listens. */
  readonly kubeconfig: string | undefined;
  /**
   * Resolves when all is quiet: queues empty, no event in flight, nothing due now. Virtual time stands still meanwhile, so a
   * retry, which waits 5 ms and longer each time, is not awaited: `advance` or `eventually` brings its outcome.
   */
  settled(): Promise<void>;
  /** Waits until `check` passes: an hour of virtual time, or two minutes; then rejects with its last failure. */
  eventually<Result>(check: () => Promise<Result>): Promise<Result>;
  /** Passes virtual time, running everything that falls due in order, and settles. A real cluster refuses it. */
  advance(duration: DurationInput): Promise<void>;
  /** Stops everything. */
  stop(): Promise<void>;
}
