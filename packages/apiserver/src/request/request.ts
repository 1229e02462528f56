/**
 * A request inside the server. The server makes one from what a transport or a socket brings; every later step reads
 * it, and none changes it, except that each may add warnings.
 */
import type { Duplex } from "node:stream";
import type { HandedEvent, Headers } from "@kubewright/core/ports";
import type { RequestInfo } from "@kubewright/core/protocol";
import type { User } from "./user.ts";

/** A request, parsed but not yet authenticated. */
export interface ParsedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** What the body would say, from a client in the process that has no need to encode it. */
  readonly given?: object | undefined;
  /** The client does not use `given` again. @default false */
  readonly givesValue?: boolean | undefined;
  /** Path, query, verb and the resource that the request is about. */
  readonly info: RequestInfo;
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
  readonly connection: Connection;
  readonly warnings: Warnings;
  /** The client takes answers as they are in memory; "lean" when it has no use for managedFields. */
  readonly takesValues?: boolean | "lean" | undefined;
}

/** A request with its user. */
export interface ApiRequest extends ParsedRequest {
  readonly user: User;
}

/** What is known of the client by the way it is connected. */
export interface Connection {
  /** The user, when the transport itself vouches for it (in process). */
  readonly user?: User;
  /** The client's verified certificate, as TLS gave it. */
  readonly certificate?: ClientCertificate;
}

/** What a verified client certificate says. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** An answer about to be sent. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Takes what cuts the client off, for streams: it is called when too much waits for a client that does not read. */
  readonly whenTooSlow?: (cutOff: () => void) => void;
  /** The connection breaks in place of this answer: a fault that a test asked for. @default false */
  readonly isLost?: boolean;
  /** What the body says, for clients that take values. */
  readonly value?: () => object;
  /** The events of a watch in place of its body, for clients that take values. */
  readonly events?: AsyncIterable<readonly HandedEvent[]>;
  /** Takes what the client says beside an answer that is a stream of messages. @default it is dropped */
  readonly messages?: MessageTaker;
  /** What goes on once the connection is upgraded, for requests that asked for it. */
  readonly tunnel?: Tunnel;
}

/** Takes messages, which may come in parts. */
export interface MessageTaker {
  /** Takes a part of a message; false when it wants no more until it is ready. */
  take(part: Uint8Array, isFirst: boolean): boolean;
  whenReady(goOn: () => void): void;
  /** Nothing more comes. */
  end(): void;
}

/** A connection that stays open for another protocol than HTTP. */
export interface Tunnel {
  /** The protocol that was agreed on. */
  readonly protocol: string;
  /** Speaks it; resolves when the connection is closed. */
  readonly serve: (connection: Duplex) => Promise<void>;
}

/** A warning is cut to this length once all of them are longer than a header should be. */
const WARNING_LENGTH_MAX = 256;
const WARNINGS_LENGTH_MAX = 4096;

/** Texts for Warning headers, each once, in their first order. */
export class Warnings {
  /** Made with the first: hardly a request has any. */
  #texts: Set<string> | undefined;

  add(text: string): void {
    this.#texts ??= new Set();
    this.#texts.add(text);
  }

  get isEmpty(): boolean {
    return this.#texts === undefined;
  }

  /** The value of the Warning header. */
  get header(): string {
    const texts = [...(this.#texts ?? [])];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const shown = length > WARNINGS_LENGTH_MAX ? cut(texts) : texts;
    return shown.map((text) => `299 - ${JSON.stringify(text)}`).join(", ");
  }
}

/** Each text cut, and as many as there are until the limit is passed. */
function cut(texts: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length >= WARNINGS_LENGTH_MAX) break;
    const short = [...text].slice(0, WARNING_LENGTH_MAX).join("");
    shown.push(short);
    length += short.length;
  }
  return shown;
}
