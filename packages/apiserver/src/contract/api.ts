/**
 * A plain HTTP client for contract cases: requests through a Transport, answers as JSON. Cases know nothing of the
 * server behind it, so the same case runs in process, over TLS and on kube-apiserver.
 */

import { type JsonObject, parseJson, stringifyJson } from "@kubewright/core/meta";
import { readBody, type Transport } from "@kubewright/core/ports";
import { decodeWatchEvents } from "@kubewright/core/protocol";
import { systemClock } from "@kubewright/node";

/** An answer, its body parsed when it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; `{}` when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: cases assert what the server says, whatever its shape.
  readonly body: any;
}

/** An event of a watch. */
export interface Told {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: cases assert what the server says, whatever its shape.
  readonly object: any;
}

/** How a request differs from a plain one. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a case works with. */
export interface ContractApi {
  readonly transport: Transport;
  /** A namespace of the case's own. */
  readonly namespace: string;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  put(path: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  patch(path: string, type: string, body: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Watches a path until `until` is true of the events so far; returns them. */
  watch(path: string, until: (events: readonly Told[]) => boolean, options?: RequestOptions): Promise<Told[]>;
}

/** Makes the client of one case. */
export function createContractApi(transport: Transport, namespace: string): ContractApi {
  const send = async (method: string, path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> => {
    const isBytes = typeof body === "string" || body instanceof Uint8Array;
    const response = await transport.send({
      method,
      path,
      headers: {
        "user-agent": "contract/1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? body : stringifyJson(body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const text = Buffer.from(await readBody(response.body)).toString("utf8");
    return { status: response.status, headers: response.headers, text, body: parseLoosely(text) };
  };
  return {
    transport,
    namespace,
    get: (path, options) => send("GET", path, undefined, options),
    post: (path, body, options) => send("POST", path, body, options),
    put: (path, body, options) => send("PUT", path, body, options),
    patch: (path, type, body, options) =>
      send("PATCH", path, body, { ...options, headers: { "content-type": type, ...options?.headers } }),
    delete: (path, body, options) => send("DELETE", path, body, options),
    watch: (path, until, options) => collect(transport, { path, until, headers: options?.headers ?? {} }),
  };
}

/** A watch that has begun. */
export interface BegunWatch {
  /** What it brings until the case has what it waits for. */
  readonly events: Promise<readonly Told[]>;
}

/** Watches what is there; resolves when the first of it came, so that what happens next comes as a change. */
export async function beginWatch(
  api: Pick<ContractApi, "watch">,
  path: string,
  until: (events: readonly Told[]) => boolean,
): Promise<BegunWatch> {
  const begun = Promise.withResolvers<void>();
  const events = api.watch(path, (all) => {
    begun.resolve();
    return until(all);
  });
  await Promise.race([begun.promise, events]);
  return { events };
}

/** A watch that does not bring what a case waits for ends the case with what it brought, before the case's own time is up. */
const WATCH_MS_MAX = 30_000;

async function collect(
  transport: Transport,
  {
    path,
    until,
    headers,
  }: {
    readonly path: string;
    readonly until: (events: readonly Told[]) => boolean;
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<Told[]> {
  const controller = new AbortController();
  const events: Told[] = [];
  const giveUp = (): void => {
    const came = events.map(({ type }) => type).join(", ");
    controller.abort(new Error(`${path} was watched for ${WATCH_MS_MAX / 1000} s in vain; what came: [${came}]`));
  };
  const cancel = systemClock.schedule(WATCH_MS_MAX, giveUp);
  try {
    const response = await transport.send({ method: "GET", path, headers, signal: controller.signal });
    for await (const event of decodeWatchEvents(response.body)) {
      events.push(event);
      if (until(events)) break;
    }
  } finally {
    cancel();
    controller.abort();
  }
  return events;
}

function parseLoosely(text: string): JsonObject {
  try {
    return parseJson(text) as JsonObject;
  } catch {
    return {};
  }
}
