/**
 * What is expected of the controllers of any cluster: each expectation works in a namespace of its own and says what
 * becomes true, not when. The same ones run on the embedded cluster in virtual time and on real control planes.
 */
import type { Client } from "@kubewright/runtime";

/** The cluster under test. */
export interface World {
  /** Its names are in a namespace that belongs to the expectation. */
  readonly client: Client;
  readonly namespace: string;
  /** Resolves when `check` passes; rejects with its last failure when it never does. */
  eventually(check: () => Promise<void>): Promise<void>;
}

/** One expectation. */
export interface Expectation {
  /** A sentence of behaviour. */
  readonly name: string;
  /** It does something to what all share, so nothing runs beside it. @default false */
  readonly alone?: boolean;
  run(world: World): Promise<void>;
}

/** The container of pods that run until they are deleted. */
export const server = { name: "server", image: "registry.example/server:1" };

/** The pod template of pods labelled `app`. */
export function template(app: string, image: string = server.image) {
  return { metadata: { labels: { app } }, spec: { containers: [{ ...server, image }] } };
}
