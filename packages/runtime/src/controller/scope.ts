/**
 * The scope of one reconcile: its signal, its deadline, and a gate that refuses requests after its end. A reconcile that does
 * not return in time is given up: its key is retried, and nothing it still does gets out.
 */
import type { Clock } from "@kubewright/core/ports";
import type { ClientOptions } from "../client/requester.ts";

type Gate = NonNullable<ClientOptions["gate"]>;

/** One reconcile's lifetime. */
export interface Scope extends Disposable {
  /** Aborts at the deadline, and when the manager stops. */
  readonly signal: AbortSignal;
  /** How many requests that may change something went through the gate. */
  readonly writes: number;
  /** True when the deadline ended it. */
  readonly timedOut: boolean;
  /** Ends it with an error, unless it has ended. */
  fail(error: unknown): void;
  /** A gate that is shut when the scope is closed, in front of `outer`. */
  gate(outer: Gate | undefined): Gate;
  /** The promise, or the signal's reason as soon as it aborts. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** Opens a scope that closes when disposed of. */
export function openScope(clock: Clock, timeoutMs: number, parent: AbortSignal): Scope {
  const ending = new Ending();
  let closed = false;
  let timedOut = false;
  let writes = 0;
  const abort = (): void => ending.end(parent.reason);
  const cancel = clock.schedule(timeoutMs, () => {
    timedOut = true;
    ending.end(new Error(`the reconcile took longer than ${timeoutMs / 1000} s; raise the controller's timeout`));
  });
  parent.addEventListener("abort", abort, { once: true });
  if (parent.aborted) abort();
  return {
    get signal() {
      return ending.signal;
    },
    get writes() {
      return writes;
    },
    get timedOut() {
      return timedOut;
    },
    fail: (error) => {
      if (!closed) ending.end(error);
    },
    gate: (outer) => (intent) => {
      if (closed || ending.isOver) {
        throw new Error(`${intent.method} ${intent.path} was refused: its reconcile has ended; await every request`);
      }
      outer?.(intent);
      if (intent.mutating) writes += 1;
    },
    race: (work) => ending.race(work),
    [Symbol.dispose]: () => {
      closed = true;
      cancel();
      parent.removeEventListener("abort", abort);
    },
  };
}

/** An end that may come early. It has a signal once somebody asks for it: most reconciles never do, and signals are dear. */
class Ending {
  #over: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;
  #reject: (reason: unknown) => void = () => {};

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over !== undefined) this.#controller.abort(this.#over.reason);
    return this.#controller.signal;
  }

  end(reason: unknown): void {
    if (this.#over !== undefined) return;
    this.#over = { reason };
    this.#controller?.abort(reason);
    this.#reject(reason);
  }

  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#over !== undefined) reject(this.#over.reason);
      work.then(resolve, reject);
    });
  }
}
