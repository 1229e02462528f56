/**
 * The scope of one reconcile: its signal, its deadline, and a gate that refuses requests after its end. A reconcile that does
 * not return in time is given up: its key is retried, and nothing it still does gets out. Each reconcile opens one, so it makes
 * nothing that is not asked for.
 */
import type { Cancel, Clock } from "@kubewright/core/ports";
import type { ClientOptions, RequestIntent } from "../client/requester.ts";

type Gate = NonNullable<ClientOptions["gate"]>;

/** The scopes of a controller that are open, which end together when it stops. */
export class Scopes {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #open = new Set<Scope>();
  #end: { readonly reason: unknown } | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Opens a scope that closes when disposed of. */
  open(): Scope {
    const scope = new Scope(this.#clock, this.#timeoutMs, (closed) => this.#open.delete(closed));
    this.#open.add(scope);
    if (this.#end !== undefined) scope.fail(this.#end.reason);
    return scope;
  }

  /** Ends those that are open, and those that are still to come as they open. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    for (const scope of this.#open) scope.fail(reason);
  }
}

/** One reconcile's lifetime. */
export class Scope implements Disposable {
  readonly #onClosed: (scope: Scope) => void;
  readonly #cancelDeadline: Cancel;
  /** How it ended before its time. */
  #end: { readonly reason: unknown } | undefined;
  /** Made once somebody asks for the signal: most reconciles never do, and signals are dear. */
  #controller: AbortController | undefined;
  #reject: (reason: unknown) => void = () => {};
  #isClosed = false;
  #timedOut = false;
  #writes = 0;

  constructor(clock: Clock, timeoutMs: number, onClosed: (scope: Scope) => void) {
    this.#onClosed = onClosed;
    this.#cancelDeadline = clock.schedule(timeoutMs, () => {
      this.#timedOut = true;
      this.fail(new Error(`the reconcile took longer than ${timeoutMs / 1000} s; raise the controller's timeout`));
    });
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
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#end !== undefined) reject(this.#end.reason);
      work.then(resolve, reject);
    });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#cancelDeadline();
    this.#onClosed(this);
  }

  #pass({ method, path }: RequestIntent): void {
    if (!this.#isClosed && this.#end === undefined) return;
    throw new Error(`${method} ${path} was refused: its reconcile has ended; await every request`);
  }
}
