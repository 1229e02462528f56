/**
 * Calling webhooks: a JSON body is posted to where a configuration says, and the JSON of the answer comes back.
 * Admission and the conversion of custom resources call through it; how a call travels (HTTPS, or a function in this
 * process) is the server's business, who a service is the cluster's.
 */
import { posix } from "node:path";
import { isJsonObject, isMalformed, type JsonObject, parseJson } from "@kubewright/core/meta";
import type { Clock } from "@kubewright/core/ports";

/** A service as webhook configurations name one. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** @default 443 */
  readonly port?: number;
  /** @default "" */
  readonly path?: string;
}

/** Where a webhook is: a URL or a service. */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: WebhookService;
  /** PEM in base64, of the authority that signed the webhook's certificate. @default the system's authorities */
  readonly caBundle?: string;
}

/** One call. */
export interface WebhookCall {
  readonly target: WebhookTarget;
  readonly body: string;
  /** Without a timeout of its own a call ends with its request. */
  readonly timeoutSeconds?: number;
  readonly signal: AbortSignal;
}

/** Calls a webhook; throws a `WebhookFailure` when no JSON object came back. */
export type CallWebhook = (call: WebhookCall) => Promise<JsonObject>;

/** A POST on its way. */
export interface WebhookRequest {
  /** With the query. */
  readonly url: string;
  /** Where to connect, when that is not what the URL says. */
  readonly address?: { readonly host: string; readonly port: number };
  readonly caBundle?: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface WebhookAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Sends a POST. Throws an Error whose message says why it could not, in Go's words. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** Where the endpoints of a service are; undefined when it has none. */
export type ResolveService = (
  service: WebhookService,
) => { readonly host: string; readonly port: number } | undefined | Promise<{ host: string; port: number } | undefined>;

/** What calling needs. */
export interface WebhookPorts {
  readonly clock: Clock;
  readonly send: SendWebhook;
  /** @default no service has endpoints */
  readonly resolveService?: ResolveService;
}

/** A call that did not work, in the words of kube-apiserver. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
}

const PORT_DEFAULT = 443;

/** Makes the caller. */
export function createCallWebhook({ clock, send, resolveService }: WebhookPorts): CallWebhook {
  return async ({ target, body, timeoutSeconds, signal }) => {
    const url = urlOf(target, timeoutSeconds);
    const timeout = startTimeout(clock, signal, timeoutSeconds);
    try {
      const address = target.service === undefined ? undefined : await resolveService?.(target.service);
      if (target.service !== undefined && address === undefined) {
        throw new Error(`no endpoints available for service ${JSON.stringify(target.service.name)}`);
      }
      const { caBundle } = target;
      const answer = await send({
        url,
        body,
        signal: timeout.signal,
        ...(address === undefined ? {} : { address }),
        ...(caBundle === undefined ? {} : { caBundle }),
      });
      return readAnswer(answer);
    } catch (error) {
      if (error instanceof WebhookFailure) throw error;
      throw new WebhookFailure(
        `Post ${JSON.stringify(url)}: ${timeout.isOver() ? "context deadline exceeded" : messageOf(error)}`,
      );
    } finally {
      timeout.cancel();
    }
  };
}

function urlOf({ url, service }: WebhookTarget, timeoutSeconds: number | undefined): string {
  const timeout = timeoutSeconds === undefined ? "" : `?timeout=${timeoutSeconds}s`;
  if (service === undefined) {
    const { protocol, host, pathname } = new URL(url ?? "");
    return `${protocol}//${host}${cleanPath(pathname)}${timeout}`;
  }
  const { namespace, name, port = PORT_DEFAULT, path = "" } = service;
  return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}${timeout}`;
}

/** As Go joins paths: no doubled slashes, none at the end. */
function cleanPath(path: string): string {
  const normal = posix.normalize(`/${path}`);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

interface Timeout {
  readonly signal: AbortSignal;
  isOver(): boolean;
  cancel(): void;
}

function startTimeout(clock: Clock, signal: AbortSignal, seconds: number | undefined): Timeout {
  if (seconds === undefined) return { signal, isOver: () => false, cancel: () => {} };
  const controller = new AbortController();
  const cancel = clock.schedule(seconds * 1000, () => controller.abort());
  return { signal: AbortSignal.any([signal, controller.signal]), isOver: () => controller.signal.aborted, cancel };
}

function readAnswer({ status, body }: WebhookAnswer): JsonObject {
  if (status < 200 || status > 299) throw new WebhookFailure(statusMessage(status, body));
  try {
    const value = parseJson(body);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw new WebhookFailure(`couldn't get version/kind; json parse error: ${error.message}`);
  }
  throw new WebhookFailure("couldn't get version/kind; json parse error: json: cannot unmarshal into Go value");
}

function statusMessage(status: number, body: Uint8Array): string {
  if (status === 404) return "the server could not find the requested resource";
  const text = Buffer.from(body).toString("utf8").trim();
  if (status >= 500)
    return `an error on the server (${JSON.stringify(text === "" ? "unknown" : text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
