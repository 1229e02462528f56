/**
 * The scope of one reconcile: its signal, its deadline, and a gate that refuses requests after its end. A reconcile that does
 * not return in time is given up: its key is retried, and nothing it still does gets out. Each reconcile opens one, so it makes
 * nothing that is not asked for.
 */
import type { Cancel, Clock } from "@kubewright/core/ports";
import type { ClientOptions, RequestIntent } from "../client/requester.ts";

type Gate = NonNullable<ClientOptions["gate"]>;

/**
 * The scopes of a controller that are open, which end together when it stops. They have places in a list, and one timer for all: a set or
 * a timer each would be left behind for the next full garbage collection, and hold on to thousands of ended reconciles until then.
 */
export class Scopes implements ScopeOwner {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open: Array<Scope | undefined> = [];
  readonly #freePlaces: number[] = [];
  #cancelTimer: Cancel | undefined;
  #end: { readonly reason: unknown } | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Opens a scope that closes when disposed of. */
  open(): Scope {
    const place = this.#freePlaces.pop() ?? this.#open.length;
    const scope = new Scope(this, place, this.#clock.monotonic() + this.#timeoutMs);
    this.#open[place] = scope;
    if (this.#end !== undefined) scope.fail(this.#end.reason);
    return scope;
  }

  /** Time counts from when a scope opened, but its timer can wait until the reconcile has sent its first request. */
  onAwaited({ deadlineMs }: Scope): void {
    if (this.#end !== undefined) return;
    this.#cancelTimer ??= this.#clock.schedule(deadlineMs - this.#clock.monotonic(), () => this.#expire());
  }

  onClosed(place: number): void {
    this.#open[place] = undefined;
    this.#freePlaces.push(place);
    if (this.#freePlaces.length < this.#open.length) return;
    this.#cancelTimer?.(); // Nobody's time can pass.
    this.#cancelTimer = undefined;
  }

  /** Ends those that are open, and those that are still to come as they open. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    this.#cancelTimer?.();
    for (const scope of this.#open) scope?.fail(reason);
  }

  /** Ends those whose time has passed, and waits for the next. */
  #expire(): void {
    const nowMs = this.#clock.monotonic();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const scope of this.#open) {
      if (scope === undefined) continue;
      if (scope.deadlineMs <= nowMs) scope.timeOut(this.#timeoutMs);
      else nextMs = Math.min(nextMs, scope.deadlineMs);
    }
    const isNext = nextMs !== Number.POSITIVE_INFINITY;
    this.#cancelTimer = isNext ? this.#clock.schedule(nextMs - nowMs, () => this.#expire()) : undefined;
  }
}

/** Told what becomes of a scope. */
interface ScopeOwner {
  /** Somebody waits for what is done in it. */
  onAwaited(scope: Scope): void;
  /** It is closed, and its place is free. */
  onClosed(place: number): void;
}

/** One reconcile's lifetime. */
export class Scope implements Disposable {
  /** When it is given up, on the monotonic scale. */
  readonly deadlineMs: number;
  readonly #owner: ScopeOwner;
  readonly #place: number;
  /** How it ended before its time. */
  #end: { readonly reason: unknown } | undefined;
  /** Made once somebody asks for the signal: most reconciles never do, and signals are dear. */
  #controller: AbortController | undefined;
  #reject: (reason: unknown) => void = () => {};
  #isClosed = false;
  #timedOut = false;
  #writes = 0;

  constructor(owner: ScopeOwner, place: number, deadlineMs: number) {
    this.#owner = owner;
    this.#place = place;
    this.deadlineMs = deadlineMs;
  }

  /** Aborts at the deadline, and when the manager stops. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    return this.#controller.signal;
  }

  /** How many requests that may change something went through the gate. */
  get writes(): number {
    return this.#writes;
  }

  /** True when the deadline ended it. */
  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** Ends it with an error, unless it has ended. */
  fail(error: unknown): void {
    if (this.#isClosed || this.#end !== undefined) return;
    this.#end = { reason: error };
    this.#controller?.abort(error);
    this.#reject(error);
  }

  /** Its time has passed, which was `timeoutMs`. */
  timeOut(timeoutMs: number): void {
    this.#timedOut = true;
    this.fail(new Error(`the reconcile took longer than ${timeoutMs / 1000} s; raise the controller's timeout`));
  }

  /** A gate that is shut when the scope is closed, in front of `outer`. */
  gate(outer: Gate | undefined): Gate {
    return (intent) => {
      this.#pass(intent);
      outer?.(intent);
      if (intent.mutating) this.#writes += 1;
    };
  }

  /** The promise, or the reason of the scope's end as soon as it ends. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    this.#owner.onAwaited(this);
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#end !== undefined) reject(this.#end.reason);
      work.then(resolve, reject);
    });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#owner.onClosed(this.#place);
  }

  #pass({ method, path }: RequestIntent): void {
    if (!this.#isClosed && this.#end === undefined) return;
    throw new Error(`${method} ${path} was refused: its reconcile has ended; await every request`);
  }
}
