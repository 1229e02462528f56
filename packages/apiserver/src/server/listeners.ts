/** The listeners of a server: what has to go on while there are any begins with the first and ends with the last. */
import type { Cancel } from "@kubewright/core/ports";
import type { Listener } from "./listen.ts";

/** Those that are open. */
export class Listeners<Each extends Listener> {
  readonly #open = new Set<Each>();
  readonly #begin: () => Cancel;
  #end: Cancel | undefined;

  /** `begin` is called when there is one, and what it returns when there is none any more. */
  constructor(begin: () => Cancel) {
    this.#begin = begin;
  }

  /** Takes a listener; the one to give out, whose end is noticed. */
  add(listener: Each): Each {
    const noticed: Each = {
      ...listener,
      close: () => {
        this.#remove(noticed);
        return listener.close();
      },
    };
    this.#open.add(noticed);
    this.#end ??= this.#begin();
    return noticed;
  }

  /** Closes all. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (listener) => listener.close()));
  }

  #remove(listener: Each): void {
    this.#open.delete(listener);
    if (this.#open.size > 0) return;
    this.#end?.();
    this.#end = undefined;
  }
}
