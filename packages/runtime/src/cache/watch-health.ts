/** How the watches of one kind are doing: what is known, and what is wrong with which of them. Logs what is wrong, but not all the time. */
import { formatGroupResource } from "@kubewright/core/meta";
import type { Cancel, Clock, Logger } from "@kubewright/core/ports";
import type { AnyDefinition } from "../client/definitions.ts";
import { newerVersion } from "./resource-version.ts";

/** At most one line about the same kind in this time. */
const LOG_INTERVAL_MS = 60_000;

/** The health of one kind's watches, by namespace. */
export class WatchHealth {
  readonly #definition: AnyDefinition;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #problems = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #version = "";
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(definition: AnyDefinition, ports: { readonly clock: Clock; readonly log: Logger }) {
    this.#definition = definition;
    this.#clock = ports.clock;
    this.#log = ports.log;
  }

  /** Everything up to this version is known. */
  get resourceVersion(): string {
    return this.#version;
  }

  /** What is wrong at the moment. */
  get problem(): string | undefined {
    const [first] = this.#problems;
    if (first === undefined) return undefined;
    const [namespace, message] = first;
    return namespace === "" ? message : `in namespace ${JSON.stringify(namespace)}: ${message}`;
  }

  /** The watch of a namespace brought something. */
  progressed(namespace: string, version: string): void {
    this.#version = newerVersion(this.#version, version);
    if (this.#problems.size > 0) this.#problems.delete(namespace);
  }

  /** The server answered the watch of a namespace; whether it brings anything is to be seen. */
  answered(namespace: string): void {
    if (this.#problems.has(namespace)) for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` each time the server answers after it did not, until cancelled. */
  onRecovery(listener: () => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The watch of a namespace failed. */
  failed(namespace: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#problems.set(namespace, message);
    if (this.#clock.monotonic() - this.#loggedMs < LOG_INTERVAL_MS) return;
    this.#loggedMs = this.#clock.monotonic();
    const resource = formatGroupResource(this.#definition);
    this.#log.warn("cannot follow a resource; trying again", { resource, problem: this.problem });
  }

  /** A namespace is not followed any more. */
  forget(namespace: string): void {
    this.#problems.delete(namespace);
  }
}
