/**
 * Leader election on a Lease: claims it when it is free, renews it, and says at any moment whether writing is allowed. The rules are in
 * election-state.ts. Fencing: `mayWrite` is asked when a request is sent, so a process that slept past its deadline sends nothing.
 */
import { Lease } from "@kubewright/api/coordination/v1";
import { formatMicroTime } from "@kubewright/core/meta";
import { type Clock, type Logger, type Random, sleep } from "@kubewright/core/ports";
import { isAlreadyExists, isConflict } from "@kubewright/core/protocol";
import type { Client } from "../client/client.ts";
import {
  candidateState,
  checkedTiming,
  claimed,
  DEFAULT_TIMING,
  type ElectionState,
  type ElectionTiming,
  isLeading,
  type LeaseRecord,
  nextStep,
  observeRecord,
} from "./election-state.ts";

/** The same problem is told once in this time. */
const OUTAGE_LOG_INTERVAL_MS = 60_000;

/** What an election is about. */
export interface LeaderElectionOptions {
  /** A client on a connection of its own, so that reconciles cannot hold renewals up. */
  readonly client: Client;
  /** Name of the Lease. */
  readonly name: string;
  readonly namespace: string;
  /** Names this candidate; must be unique. */
  readonly identity: string;
  readonly timing?: ElectionTiming | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** One candidate of an election. */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #timing: ElectionTiming;
  readonly #stop = new AbortController();
  #state: ElectionState = candidateState;
  #acquiredMs = 0;
  #epoch = 0;
  /** What was told last of a lease that is out of reach; undefined while it is not. */
  #outage: { readonly problem: string; readonly toldMs: number } | undefined;
  #run: Promise<void> | undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = checkedTiming(options.timing ?? DEFAULT_TIMING);
  }

  /** True while this candidate is the leader and may write. */
  get mayWrite(): boolean {
    return isLeading(this.#state, this.#timing, this.#options.clock.monotonic());
  }

  /** The version of the lease that made this candidate the leader: later leaders have higher ones, also of a Lease that was made anew. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Competes for the lease. Calls `onLeading` once when it is won, and `onLost` once when it is lost after that. */
  start(callbacks: { readonly onLeading: () => void; readonly onLost: () => void }): void {
    this.#run ??= this.#compete(callbacks);
  }

  /** Stops competing; gives the lease back, so that the next leader need not wait. Call it when the work is done. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error("the election was stopped"));
    await this.#run;
    if (this.mayWrite) await this.#release();
  }

  async #compete({
    onLeading,
    onLost,
  }: {
    readonly onLeading: () => void;
    readonly onLost: () => void;
  }): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stop;
    let led = false;
    while (!signal.aborted) {
      await this.#tryOnce();
      if (signal.aborted) return;
      if (this.mayWrite && !led) {
        led = true;
        onLeading();
      } else if (!this.mayWrite && led) {
        onLost();
        return;
      }
      await sleep(clock, this.#timing.retryMs * (1 + (led ? 0 : 0.2 * random.next())), signal).catch(() => {});
    }
  }

  /** Reads the lease and claims it if it may. A failure leaves things as they are until the deadline. */
  async #tryOnce(): Promise<void> {
    const { client, clock, name, namespace, identity } = this.#options;
    const deadline = this.#requestDeadline();
    try {
      const lease = await client.find(Lease, { name, namespace }, { signal: deadline.signal });
      if (lease !== undefined) this.#state = observeRecord(this.#state, toRecord(lease), clock.monotonic());
      const step = nextStep(lease === undefined ? candidateState : this.#state, identity, clock.monotonic());
      if (step.kind === "claim") await this.#claim(lease, step.transitions, deadline.signal);
      else if (this.#state.renewedMs !== undefined) this.#state = { ...this.#state, renewedMs: undefined };
      this.#outage = undefined;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !this.#stop.signal.aborted) this.#tellOutage(error);
    } finally {
      deadline.cancel();
    }
  }

  /** Tries come every few seconds: a problem that stays is told once a minute. Where it was met says nothing, so no stack is. */
  #tellOutage(error: unknown): void {
    const { clock, name, namespace, log } = this.#options;
    const problem = messageOf(error);
    const nowMs = clock.monotonic();
    if (this.#outage?.problem === problem && nowMs - this.#outage.toldMs < OUTAGE_LOG_INTERVAL_MS) return;
    this.#outage = { problem, toldMs: nowMs };
    log.warn(`cannot ${this.mayWrite ? "renew" : "get"} the lease; trying again`, {
      lease: `${namespace}/${name}`,
      problem,
    });
  }

  async #claim(lease: Lease | undefined, transitions: number, signal: AbortSignal): Promise<void> {
    const { client, clock, name, namespace, identity } = this.#options;
    const sentMs = clock.monotonic();
    const fresh = lease?.spec?.holderIdentity !== identity;
    if (fresh) this.#acquiredMs = clock.now();
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#timing.leaseMs / 1000),
      acquireTime: fresh
        ? formatMicroTime(this.#acquiredMs)
        : (lease?.spec?.acquireTime ?? formatMicroTime(clock.now())),
      renewTime: formatMicroTime(clock.now()),
      leaseTransitions: transitions,
    };
    const written =
      lease === undefined
        ? await client.create(Lease, { metadata: { name, namespace }, spec }, { signal })
        : await client.update(Lease, { ...lease, spec }, { signal });
    const record = toRecord(written);
    if (!this.mayWrite) this.#epoch = Number(record.resourceVersion);
    this.#state = claimed(record, sentMs);
  }

  async #release(): Promise<void> {
    const { client, clock, name, namespace, identity, log } = this.#options;
    const { signal, cancel } = this.#deadline();
    try {
      const lease = await client.get(Lease, { name, namespace }, { signal });
      if (lease.spec?.holderIdentity !== identity) return;
      const spec = {
        ...lease.spec,
        holderIdentity: "",
        leaseDurationSeconds: 1,
        renewTime: formatMicroTime(clock.now()),
      };
      await client.update(Lease, { ...lease, spec }, { signal });
    } catch (error) {
      const problem = messageOf(error);
      log.warn("the lease could not be given back; the next leader waits for it to expire", { problem });
    } finally {
      cancel();
    }
    this.#state = candidateState;
  }

  /** No request of an election may take longer than leadership lasts. */
  #deadline(): { readonly signal: AbortSignal; abort(): void; cancel(): void } {
    const controller = new AbortController();
    const waitMs = this.#timing.renewDeadlineMs / 2;
    const abort = (): void => controller.abort(new Error(`no answer from the API server within ${waitMs / 1000} s`));
    const cancel = this.#options.clock.schedule(waitMs, abort);
    return { signal: controller.signal, abort, cancel };
  }

  /** The deadline of a request that also ends when competing does. */
  #requestDeadline(): { readonly signal: AbortSignal; cancel(): void } {
    const { signal, abort, cancel } = this.#deadline();
    this.#stop.signal.addEventListener("abort", abort, { once: true });
    return {
      signal,
      cancel: () => {
        cancel();
        this.#stop.signal.removeEventListener("abort", abort);
      },
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toRecord(lease: Lease): LeaseRecord {
  return {
    holder: lease.spec?.holderIdentity ?? "",
    durationSeconds: lease.spec?.leaseDurationSeconds ?? 0,
    transitions: lease.spec?.leaseTransitions ?? 0,
    resourceVersion: lease.metadata?.resourceVersion ?? "",
  };
}
