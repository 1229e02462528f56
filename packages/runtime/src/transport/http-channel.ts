/** A way to exchange requests with one server under one set of TLS settings: directly (http1-channel.ts) or through a proxy (proxied-channel.ts). */
import type { Headers, TransportRequest, TransportResponse } from "@kubewright/core/ports";

/** A request with its path and headers as they go on the wire. */
export interface ChannelRequest extends TransportRequest {
  readonly headers: Headers;
}

/** Exchanges requests over kept connections. */
export interface HttpChannel {
  /** Sends one request; resolves with the head of the answer. */
  send(request: ChannelRequest): Promise<TransportResponse>;
  /** Closes all connections. */
  close(): void;
}

/** How long a connection may say nothing. */
export interface ChannelTiming {
  /** A request whose connection is silent for this long has failed. */
  readonly silenceMs: number;
}

/** How long a request may be silent; 0 for watches, which are silent for long and have a deadline at whoever follows them. */
export function silenceMsOf({ path }: TransportRequest, { silenceMs }: ChannelTiming): number {
  return path.includes("watch=") || path.includes("follow=") ? 0 : silenceMs;
}

/** A connection said nothing for too long. */
export class SilenceError extends Error {}

/** The error for a connection that said nothing for too long. */
export function silenceError({ silenceMs }: ChannelTiming): SilenceError {
  return new SilenceError(`nothing was received for ${silenceMs / 1000} s`);
}

/** Headers as the port has them: one value each, pseudo headers left out. */
export function flattenHeaders(headers: Readonly<Record<string, string | string[] | number | undefined>>): Headers {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(":")) continue;
    flat[name] = Array.isArray(value) ? value.join(", ") : String(value);
  }
  return flat;
}
