/**
 * Sends the client's requests (encode-request.ts makes them): asks the gate, calls the transport and tells
 * what was written. The operations of create-client.ts and subresource.ts come through here.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Headers, Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";
import { formatQuery } from "@kubewright/core/protocol";
import { type About, openCall, parseWarnings, readAnswer } from "./call.ts";
import type { ClientSettings, RawRequest } from "./client.ts";
import type { AnyDefinition } from "./definitions.ts";
import {
  acceptFor,
  encode,
  headersOf,
  type PathParts,
  type Query,
  type RequestParts,
  targetOf,
} from "./encode-request.ts";
import { impersonationHeaders } from "./impersonation.ts";
import type { WriteOptions } from "./options.ts";
import type { WatchBody } from "./watch.ts";

/** What a request is about to do, as gates see it. */
export interface RequestIntent {
  /** True when the request may change something. */
  readonly mutating: boolean;
  readonly method: string;
  readonly path: string;
  /** What it is about; absent for requests by path. */
  readonly definition?: AnyDefinition;
  /** Where; absent for cluster-scoped kinds and requests over all namespaces. */
  readonly namespace?: string;
}

/** Something that was written, as the server answered. */
export interface Written {
  readonly definition: AnyDefinition;
  readonly object: KubernetesObject;
}

/** An object whose deletion is complete. */
export interface Deleted {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Known when the server told it, or when the deletion was tied to it. */
  readonly uid: string | undefined;
}

/** What a client is made of. */
export interface ClientOptions extends ClientSettings {
  /** Where requests go. */
  readonly transport: Transport;
  /** Called before each request leaves; throwing refuses it. */
  readonly gate?: ((intent: RequestIntent) => void) | undefined;
  /** Called with each object that was written (dry runs excepted). */
  readonly onWritten?: ((written: Written) => void) | undefined;
  /** Called with each object that is gone by `delete` (dry runs excepted). */
  readonly onDeleted?: ((deleted: Deleted) => void) | undefined;
  /** Called with the server's warnings. @default they are dropped */
  readonly onWarning?: ((text: string, path: string) => void) | undefined;
}

/** What is written where. */
export interface WriteLine extends About {
  readonly method: string;
}

/** What a write carries. */
export interface WriteContent extends Pick<RequestParts, "body" | "contentType"> {
  /** Takes fields over from whoever owns them; for applies. @default false */
  readonly force?: boolean | undefined;
  /** The answer is no object of the kind, so `onWritten` is not told. @default false */
  readonly unobserved?: boolean;
}

/** What a request carries whose answer is taken as it comes. */
export type OpenParts = RequestParts & { readonly mutating: boolean };

/** Sends the client's requests. One is made for every reconcile that sends any, so making it costs next to nothing. */
export class Requester {
  readonly #options: ClientOptions;
  readonly #common: Headers | undefined;
  readonly #inProcess: boolean;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#common = options.impersonate && impersonationHeaders(options.impersonate);
    this.#inProcess = options.transport.inProcess === true;
  }

  /** One request with a decoded answer. */
  async call(what: AnyDefinition, method: string, parts: PathParts, request: RequestParts): Promise<unknown> {
    const sent = this.#toRequest(what, method, parts, request);
    return this.#read(await this.#send(sent, { what, parts }), sent);
  }

  /** A request that writes one object and answers with it. */
  async write(line: WriteLine, options: WriteOptions, content: WriteContent): Promise<unknown> {
    const { what, method, parts } = line;
    const { body, contentType } = content;
    const query = this.#queryOf(options, content.force);
    const isLean = (options.dropsManagedFields ?? this.#options.dropsManagedFields) === true;
    const takesValues = this.#inProcess && (isLean ? "lean" : true);
    const request = this.#toRequest(what, method, parts, {
      query,
      body,
      contentType,
      givesBody: this.#options.givesObjects,
      signal: options.signal,
      takesValues,
    });
    const answer = this.#read(await this.#send(request, line), request, isLean);
    const object = (answer instanceof Promise ? await answer : answer) as KubernetesObject;
    const isDry = (options.dryRun ?? this.#options.dryRun) === true;
    if (!isDry && content.unobserved !== true) this.#options.onWritten?.({ definition: what, object });
    return object;
  }

  /** A request whose answer is a stream. */
  async stream(what: AnyDefinition, parts: PathParts, request: RequestParts): Promise<WatchBody> {
    const takesValues = this.#inProcess && (request.takesValues ?? true);
    const { body, events } = await this.#open({ ...request, takesValues }, { what, parts, mutating: false });
    const { path } = targetOf(what, parts, {});
    return { body, path, signal: request.signal, ...(events === undefined ? {} : { events }) };
  }

  /** A request whose answer is taken as it comes; `mutating` tells gates whether it may change something. */
  open(what: AnyDefinition, parts: PathParts, { mutating, ...request }: OpenParts): Promise<TransportResponse> {
    return this.#open(request, { what, parts, mutating });
  }

  /** A request by path. */
  async raw({ method = "GET", path, ...request }: RawRequest): Promise<unknown> {
    const sent = encode({ method, path, headers: this.#common ?? {} }, request, false);
    return this.#read(await this.#send(sent), sent);
  }

  /** Throws when the gate refuses. */
  #send(request: TransportRequest, about?: About): Promise<TransportResponse> {
    const { gate, transport } = this.#options;
    const { method } = request;
    gate?.(intentOf(request, about, method !== "GET"));
    return openCall(transport, request, about);
  }

  #read(response: TransportResponse, request: TransportRequest, isLean = false): unknown {
    const { warning } = response.headers;
    if (warning !== undefined) for (const text of parseWarnings(warning)) this.#options.onWarning?.(text, request.path);
    return readAnswer(response, request, isLean);
  }

  async #open(parts: RequestParts, about: About & { readonly mutating: boolean }): Promise<TransportResponse> {
    const { gate, transport } = this.#options;
    const request = this.#toRequest(about.what, "GET", about.parts, parts, true);
    gate?.(intentOf(request, about, about.mutating));
    return openCall(transport, request, about);
  }

  #queryOf(options: WriteOptions, force: boolean | undefined): string {
    const settings = this.#options;
    const fieldManager = options.fieldManager ?? settings.fieldManager ?? "kubewright";
    const fieldValidation = options.fieldValidation ?? settings.fieldValidation;
    const dryRun = (options.dryRun ?? settings.dryRun) === true ? "All" : undefined;
    if (fieldValidation === undefined && dryRun === undefined && force !== true)
      return `?fieldManager=${encodeURIComponent(fieldManager)}`;
    const query: Query = { fieldManager, fieldValidation, dryRun, force: force === true ? true : undefined };
    return formatQuery(query);
  }

  #toRequest(
    what: AnyDefinition,
    method: string,
    parts: PathParts,
    request: RequestParts,
    isStream = false,
  ): TransportRequest {
    const accept = acceptFor(what, parts.name === undefined && !isStream);
    const target = targetOf(what, parts, request);
    const headers = headersOf(accept, this.#common, request.headers);
    const line = { method, path: target.of, headers, target: this.#inProcess ? target : undefined };
    return encode(line, request, this.#inProcess);
  }
}

function intentOf({ method, path }: TransportRequest, about: About | undefined, mutating: boolean): RequestIntent {
  if (about === undefined) return { mutating, method, path };
  const { what: definition, parts } = about;
  const { namespace } = parts;
  if (namespace === undefined) return { mutating, method, path, definition };
  return { mutating, method, path, definition, namespace };
}
