/**
 * Retries what is safe to retry: requests that the server turned away unprocessed and told when to come again (429, 503 with
 * Retry-After). Sits between the client and the HTTP transport. Broken connections are not retried here: whether the server acted
 * is unknown, and reconciles and reflectors start over by themselves.
 */
import {
  type Clock,
  type Random,
  readBody,
  sleep,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@kubewright/core/ports";

const ATTEMPTS_MAX = 10;
const WAIT_SECONDS_MAX = 60;

/** What retrying needs. */
export interface RetryPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Told of each retry. */
  readonly onRetry?: ((request: TransportRequest, status: number) => void) | undefined;
}

/** The transport, with requests that were turned away sent again. */
export function retryingTransport(transport: Transport, ports: RetryPorts): Transport {
  return {
    inProcess: transport.inProcess,
    // Promises rather than an async function: every request comes through here, and hardly one is turned away.
    send: (request) =>
      transport
        .send(request)
        .then((response) =>
          waitSecondsOf(response) === undefined ? response : again({ transport, request, response }, ports),
        ),
  };
}

/** Sends a request that was turned away until it is not, as long as that is of use. */
async function again(
  {
    transport,
    request,
    response: first,
  }: { readonly transport: Transport; readonly request: TransportRequest; readonly response: TransportResponse },
  ports: RetryPorts,
): Promise<TransportResponse> {
  let response = first;
  for (let attempt = 1; ; attempt += 1) {
    const waitSeconds = waitSecondsOf(response);
    if (waitSeconds === undefined || attempt >= ATTEMPTS_MAX || !isRepeatable(request)) return response;
    await readBody(response.body);
    ports.onRetry?.(request, response.status);
    await sleep(ports.clock, waitSeconds * 1000 * (1 + 0.2 * ports.random.next()), request.signal);
    response = await transport.send(request);
  }
}

function waitSecondsOf({ status, headers }: TransportResponse): number | undefined {
  return retryAfterSeconds(status, headers["retry-after"]);
}

/** How long the server asks to wait; undefined when it does not ask to come again. */
export function retryAfterSeconds(status: number, header: string | undefined): number | undefined {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, WAIT_SECONDS_MAX) : undefined;
}

/** A creation whose name the server chooses could happen twice without anybody noticing. */
function isRepeatable({ method, body, value }: TransportRequest): boolean {
  if (method === "POST" && value !== undefined) return !JSON.stringify(value).includes('"generateName"');
  if (method !== "POST" || body === undefined) return true;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return !text.includes('"generateName"');
}
