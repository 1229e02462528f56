/** What whoever runs pods (simulated kubelets, a test) does for the API server: read logs, run commands, open streams. */
import type { Duplex } from "node:stream";
import type { Pod } from "@kubewright/api/core/v1";
import type { ResourceCall } from "../endpoints/call.ts";
import type { ApiResponse } from "../request/request.ts";

/** A wish to read what a container printed. */
export interface PodLogRequest {
  readonly pod: Pod;
  readonly container: string;
  /** Goes on until `signal` aborts or the container ends. */
  readonly follow: boolean;
  /** The run before the current one. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** A wish for a connection into a pod. */
export interface PodConnectRequest {
  readonly kind: "exec" | "attach";
  readonly pod: Pod;
  /** The container that is meant. */
  readonly container: string;
  /** The request itself: its query has command, stdin, tty. */
  readonly call: ResourceCall;
  /** What the client says; it has ended already when the client asked for no input. */
  readonly input: AsyncIterable<Uint8Array>;
}

/** A wish for a connection to a port of a pod. */
export interface PodPortRequest {
  readonly pod: Pod;
  readonly port: number;
}

/** Everything that a running pod does for its clients; each part is optional. */
export interface PodHooks {
  /** What a container printed. @default nothing */
  readonly readLogs?: (request: PodLogRequest) => Promise<string | AsyncIterable<Uint8Array>>;
  /** Answers exec and attach. @default a 400, as for pods that run nowhere */
  readonly connect?: (request: PodConnectRequest) => Promise<ApiResponse>;
  /** Connects to a port, for port-forward and proxies. Clients are told why it rejects. @default a 400, as for `connect` */
  readonly openPort?: (request: PodPortRequest) => Promise<Duplex>;
}
