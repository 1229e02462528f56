/** Faults at the transport: what networks and servers do to requests, answers and streams, by chance (seeded) or by hand. */
import {
  type Clock,
  type Random,
  sleep,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@kubewright/core/ports";

/** Probabilities of faults, each between 0 and 1. */
export interface FaultRates {
  /** The request never arrives. */
  readonly refuse?: number;
  /** The request is served, and its answer is lost. */
  readonly loseAnswer?: number;
  /** The server answers 500, 503 or 429 without doing anything. */
  readonly turnAway?: number;
  /** A stream ends within a piece. */
  readonly cut?: number;
  /** A stream ends cleanly. */
  readonly end?: number;
  /** A stream goes silent without ending. */
  readonly stall?: number;
  /** A stream holds bytes that are no event. */
  readonly garble?: number;
  /** A stream reports that its version expired. */
  readonly expire?: number;
  /** A watch is refused because this server has not reached its version yet. */
  readonly tooLarge?: number;
}

/** A transport whose faults can be switched on and off. */
export class FaultyTransport implements Transport {
  rates: FaultRates = {};
  /** Which requests the faults are for. */
  only: (request: TransportRequest) => boolean = () => true;
  readonly #inner: Transport;
  readonly #random: Random;

  constructor(inner: Transport, random: Random) {
    this.#inner = inner;
    this.#random = random;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const rates = this.only(request) ? this.rates : {};
    if (this.#happens(rates.refuse)) throw new Error("connect ECONNREFUSED");
    if (this.#happens(rates.turnAway)) return turnedAway(this.#random);
    if (isWatch(request) && request.path.includes("resourceVersion=") && this.#happens(rates.tooLarge))
      return tooLarge();
    const response = await this.#inner.send(request);
    if (this.#happens(rates.loseAnswer)) throw new Error("read ECONNRESET");
    return isWatch(request) && response.status === 200
      ? { ...response, body: this.#spoil(response.body, request) }
      : response;
  }

  /** Watches that were opened before the faults began are spoiled, too. */
  async *#spoil(body: AsyncIterable<Uint8Array>, request: TransportRequest): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      const rates = this.only(request) ? this.rates : {};
      if (this.#happens(rates.stall)) await aborted(request.signal);
      if (this.#happens(rates.end)) return;
      if (this.#happens(rates.expire)) {
        yield Buffer.from(`${JSON.stringify({ type: "ERROR", object: EXPIRED })}\n`);
        return;
      }
      if (this.#happens(rates.garble)) yield Buffer.from("{nonsense}\n");
      if (this.#happens(rates.cut)) {
        yield chunk.subarray(0, chunk.length >> 1);
        throw new Error("read ECONNRESET");
      }
      // Pieces of a stream end anywhere, within characters too.
      const middle = Math.floor(this.#random.next() * chunk.length);
      yield chunk.subarray(0, middle);
      yield chunk.subarray(middle);
    }
  }

  #happens(rate: number | undefined): boolean {
    return rate !== undefined && this.#random.next() < rate;
  }
}

/** A network on which watches bring everything after the answers to the writes that it is about. */
export function lateWatches(clock: Clock): (transport: Transport) => Transport {
  async function* delayed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      await sleep(clock, 5);
      yield chunk;
    }
  }
  return (transport) => ({
    async send(request) {
      const response = await transport.send(request);
      return isWatch(request) ? { ...response, body: delayed(response.body) } : response;
    },
  });
}

function isWatch({ path }: TransportRequest): boolean {
  return path.includes("watch=true");
}

const EXPIRED = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "too old resource version: 1 (2)",
  reason: "Expired",
  code: 410,
};

function tooLarge(): TransportResponse {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  const message = "Timeout: Too large resource version: 9, current: 8";
  return answerOf({ ...EXPIRED, message, reason: "Timeout", code: 504, details: { causes, retryAfterSeconds: 1 } });
}

/** The answer that carries a Status. */
export function answerOf(status: { readonly code: number; readonly [field: string]: unknown }): TransportResponse {
  const body = (async function* () {
    yield Buffer.from(JSON.stringify(status));
  })();
  return { status: status.code, headers: {}, body };
}

function turnedAway(random: Random): TransportResponse {
  const status = [500, 503, 429][Math.floor(random.next() * 3)] ?? 500;
  const headers: Record<string, string> = status === 500 ? {} : { "retry-after": "1" };
  return { status, headers, body: (async function* () {})() };
}

/** Never resolves by itself; rejects when the signal aborts. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
