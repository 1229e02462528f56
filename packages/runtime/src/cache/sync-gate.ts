/** Things that have to happen before a cache is complete, and those who wait for them. */

/** Opens when nothing is pending, and shuts again when something new is. */
export class SyncGate {
  readonly #pending = new Set<string>();
  readonly #waiters = new Set<() => void>();
  #begun = false;

  /** True when everything that was to happen has. */
  get open(): boolean {
    return this.#begun && this.#pending.size === 0;
  }

  /** True while this has yet to happen. */
  isPending(name: string): boolean {
    return this.#pending.has(name);
  }

  /** From now on nothing pending means open. */
  begin(): void {
    this.#begun = true;
  }

  /** Something has to happen. */
  await(name: string): void {
    this.#pending.add(name);
  }

  /** Something has happened, or need not happen any more. */
  settle(name: string): void {
    this.#pending.delete(name);
    this.wake();
  }

  /** Lets everybody who waits look again. */
  wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }

  /** Resolves when open; rejects with the reason of the first signal that aborts. */
  async whenOpen(signals: readonly AbortSignal[]): Promise<void> {
    while (!this.open) {
      for (const signal of signals) signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiters.delete(wake);
          for (const signal of signals) signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiters.add(wake);
        for (const signal of signals) signal.addEventListener("abort", wake, { once: true });
      });
    }
  }
}
