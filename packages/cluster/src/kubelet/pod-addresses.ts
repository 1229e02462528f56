/** Addresses of simulated pods: each pod gets one of its own from 10.244.0.0/16 and gives it back when it is gone. */

const ADDRESSES_MAX = 256 * 254;

/** Hands out pod addresses. */
export class PodAddresses {
  readonly #byPod = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = 0;

  /** The address of the pod with this uid; `known` is what its status says, from before a restart. */
  addressOf(uid: string, known: string | undefined): string {
    const address = this.#byPod.get(uid) ?? (known && !this.#taken.has(known) ? known : this.#free());
    this.#byPod.set(uid, address);
    this.#taken.add(address);
    return address;
  }

  /** Gives the address of a pod back. */
  release(uid: string): void {
    const address = this.#byPod.get(uid);
    if (address === undefined) return;
    this.#byPod.delete(uid);
    this.#taken.delete(address);
  }

  #free(): string {
    for (let tried = 0; tried < ADDRESSES_MAX; tried++) {
      const number = this.#next++ % ADDRESSES_MAX;
      const address = `10.244.${Math.floor(number / 254)}.${1 + (number % 254)}`;
      if (!this.#taken.has(address)) return address;
    }
    throw new Error(`all ${ADDRESSES_MAX} pod addresses are taken; delete pods`);
  }
}
