/**
 * A transport that ends a program's life: it carries requests until a given one has changed something, and nothing after
 * that. The server has acted on that last request; the program never learns of it, as when its process was killed.
 */
import type { Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";

/** Carries requests until it dies, and remembers them. */
export class MortalTransport implements Transport {
  readonly inProcess: boolean | undefined;
  /** Every request that was carried: "GET /api/v1/pods". */
  readonly requests: string[] = [];
  readonly #inner: Transport;
  readonly #writesMax: number;
  #writes: string[] = [];

  constructor(inner: Transport, writesMax: number = Number.POSITIVE_INFINITY) {
    this.#inner = inner;
    this.#writesMax = writesMax;
    this.inProcess = inner.inProcess;
  }

  /** The requests that changed something, or could have. */
  get writes(): readonly string[] {
    return this.#writes;
  }

  /** True when the last write was made. */
  get isDead(): boolean {
    return this.#writes.length >= this.#writesMax;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#refuseIfDead();
    const line = `${request.method} ${request.path}`;
    this.requests.push(line);
    if (request.method !== "GET") this.#writes.push(line);
    const response = await this.#inner.send(request);
    this.#refuseIfDead();
    return response;
  }

  #refuseIfDead(): void {
    if (this.isDead) throw new Error("the program was killed");
  }
}
