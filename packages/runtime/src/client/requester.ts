/**
 * Sends the client's requests (encode-request.ts makes them): asks the gate, calls the transport and tells
 * what was written. The operations of create-client.ts and subresource.ts come through here.
 */
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Headers, Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";
import { type FailedRequest, formatQuery } from "@kubewright/core/protocol";
import { openCall, parseWarnings, readAnswer } from "./call.ts";
import type { ClientSettings, RawRequest } from "./client.ts";
import type { AnyDefinition } from "./definitions.ts";
import {
  acceptFor,
  encode,
  headersOf,
  type PathParts,
  pathOf,
  type Query,
  type RequestParts,
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
  /** Known when the deletion was tied to it. */
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

/** What a write carries besides its path. */
export interface WriteParts extends WriteOptions, Omit<RequestParts, "query" | "signal"> {
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
  /** What the query of a write says where its options say nothing else; made once it is needed. */
  #plainQuery: string | undefined;

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
  async write(what: AnyDefinition, method: string, parts: PathParts, write: WriteParts): Promise<unknown> {
    const dryRun = write.dryRun ?? this.#options.dryRun;
    const query = this.#queryOf(write);
    const { body, contentType, signal, headers } = write;
    const takesValues = this.#inProcess && (this.#options.dropsManagedFields === true ? "lean" : true);
    const request = this.#toRequest(what, method, parts, { query, body, contentType, signal, headers, takesValues });
    const response = await this.#send(request, { what, parts });
    const object = (await this.#read(response, request)) as KubernetesObject;
    if (dryRun !== true && write.unobserved !== true) this.#options.onWritten?.({ definition: what, object });
    return object;
  }

  /** A request whose answer is a stream. */
  async stream(what: AnyDefinition, parts: PathParts, request: RequestParts): Promise<WatchBody> {
    const takesValues = this.#inProcess && (request.takesValues ?? true);
    const { body, events } = await this.#open({ ...request, takesValues }, { what, parts, mutating: false });
    const path = pathOf(what, parts, request);
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
    return openCall(transport, { request, about: failureOf(method, about) });
  }

  #read(response: TransportResponse, request: TransportRequest): unknown {
    const { warning } = response.headers;
    if (warning !== undefined) for (const text of parseWarnings(warning)) this.#options.onWarning?.(text, request.path);
    return readAnswer(response, request);
  }

  async #open(parts: RequestParts, about: About & { readonly mutating: boolean }): Promise<TransportResponse> {
    const { gate, transport } = this.#options;
    const request = this.#toRequest(about.what, "GET", about.parts, parts, true);
    gate?.(intentOf(request, about, about.mutating));
    return openCall(transport, { request, about: failureOf("GET", about) });
  }

  #queryOf(write: WriteParts): string {
    const { fieldManager, fieldValidation, dryRun, force } = write;
    const isPlain = (fieldManager ?? fieldValidation ?? dryRun ?? force) === undefined;
    if (!isPlain) return formatQuery(writeQuery(write, this.#options));
    this.#plainQuery ??= formatQuery(writeQuery({}, this.#options));
    return this.#plainQuery;
  }

  #toRequest(
    what: AnyDefinition,
    method: string,
    parts: PathParts,
    request: RequestParts,
    isStream = false,
  ): TransportRequest {
    const accept = acceptFor(what, parts.name === undefined && !isStream);
    const path = pathOf(what, parts, request);
    const headers = headersOf(accept, this.#common, request.headers);
    return encode({ method, path, headers }, request, this.#inProcess);
  }
}

/** What a request is about, for gates and for errors. */
interface About {
  readonly what: AnyDefinition;
  readonly parts: PathParts;
}

function intentOf({ method, path }: TransportRequest, about: About | undefined, mutating: boolean): RequestIntent {
  if (about === undefined) return { mutating, method, path };
  const { what: definition, parts } = about;
  const { namespace } = parts;
  if (namespace === undefined) return { mutating, method, path, definition };
  return { mutating, method, path, definition, namespace };
}

function failureOf(method: string, about: About | undefined): FailedRequest {
  if (about === undefined) return { method };
  const { name } = about.parts;
  return name === undefined ? { method, resource: about.what } : { method, resource: about.what, name };
}

function writeQuery(write: WriteParts, settings: ClientSettings): Query {
  return {
    fieldManager: write.fieldManager ?? settings.fieldManager ?? "kubewright",
    fieldValidation: write.fieldValidation ?? settings.fieldValidation,
    dryRun: (write.dryRun ?? settings.dryRun) === true ? "All" : undefined,
    force: write.force === true ? true : undefined,
  };
}
