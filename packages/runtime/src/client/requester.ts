/**
 * Sends the client's requests: puts path, query, headers and body together, asks the gate, calls the transport and tells
 * what was written. The operations of create-client.ts and subresource.ts come through here.
 */
import { type KubernetesObject, stringifyJson } from "@kubewright/core/meta";
import type { Headers, Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";
import { formatAcceptAs, formatQuery, formatRequestPath, JSON_MEDIA_TYPE } from "@kubewright/core/protocol";
import { type Call, openCall, sendCall } from "./call.ts";
import type { ClientSettings, RawRequest } from "./client.ts";
import { type AnyDefinition, isMetadataOnly } from "./definitions.ts";
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

/** What a path leads to: a collection without a name, an object with one. */
export interface PathParts {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Query parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What one request carries besides its path. */
export interface RequestParts {
  readonly query?: Query;
  readonly body?: unknown;
  /** @default "application/json" */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** The answer may be shared with others in this process, and frozen; "lean" without managedFields. @default false */
  readonly takesValues?: boolean | "lean";
  /** The body need not be encoded: the transport is in process. @default false */
  readonly handsValue?: boolean;
  /** @default {} */
  readonly headers?: Headers;
}

/** What a write carries besides its path. */
export interface WriteParts extends WriteOptions, Omit<RequestParts, "query" | "signal"> {
  readonly force?: boolean | undefined;
  /** The answer is no object of the kind, so `onWritten` is not told. @default false */
  readonly unobserved?: boolean;
}

/** What a request carries whose answer is taken as it comes. */
export type OpenParts = RequestParts & { readonly mutating: boolean };

/** Sends the client's requests. */
export interface Requester {
  /** One request with a decoded answer. */
  call(what: AnyDefinition, method: string, parts: PathParts, request: RequestParts): Promise<unknown>;
  /** A request that writes one object and answers with it. */
  write(what: AnyDefinition, method: string, parts: PathParts, request: WriteParts): Promise<unknown>;
  /** A request whose answer is a stream. */
  stream(what: AnyDefinition, parts: PathParts, request: RequestParts): Promise<Omit<WatchBody, "onActivity">>;
  /** A request whose answer is taken as it comes; `mutating` tells gates whether it may change something. */
  open(what: AnyDefinition, parts: PathParts, request: OpenParts): Promise<TransportResponse>;
  /** A request by path. */
  raw(request: RawRequest): Promise<unknown>;
}

const metadataAs = (kind: string): string => formatAcceptAs({ group: "meta.k8s.io", version: "v1", kind });

/** Makes the requester of a client. */
export function createRequester(options: ClientOptions): Requester {
  const common = impersonationHeaders(options.impersonate);
  const takesValues = options.transport.inProcess === true;
  const handsValue = takesValues;
  const send = async (call: GatedCall): Promise<unknown> => {
    const { method, path } = call.request;
    options.gate?.({ mutating: method !== "GET", method, path, ...call.intent });
    const answer = await sendCall(options.transport, call);
    for (const text of answer.warnings) options.onWarning?.(text, path);
    return answer.body;
  };
  return {
    call: (what, method, parts, request) => send(toCall(what, method, parts, { ...request, common, handsValue })),
    async write(what, method, parts, write) {
      const query = writeQuery(write, options);
      const call = toCall(what, method, parts, { ...write, query, common, takesValues, handsValue });
      const object = (await send(call)) as KubernetesObject;
      if (query["dryRun"] === undefined && write.unobserved !== true) options.onWritten?.({ definition: what, object });
      return object;
    },
    async stream(what, parts, request) {
      const call = toCall(what, "GET", parts, {
        ...request,
        common,
        stream: true,
        takesValues: takesValues && (request.takesValues ?? true),
      });
      options.gate?.({ mutating: false, method: "GET", path: call.request.path, ...call.intent });
      const response = await openCall(options.transport, call);
      const { body, events } = response;
      return { body, path: call.request.path, signal: request.signal, ...(events === undefined ? {} : { events }) };
    },
    open(what, parts, { mutating, ...request }) {
      const call = toCall(what, "GET", parts, { ...request, common, stream: true });
      options.gate?.({ mutating, method: "GET", path: call.request.path, ...call.intent });
      return openCall(options.transport, call);
    },
    raw: ({ method = "GET", path, ...request }) =>
      send({ request: encode(method, path, request, common), about: { method } }),
  };
}

/** A call, and what gates see of it beside its request. */
type GatedCall = Call & { readonly intent?: Pick<RequestIntent, "definition" | "namespace"> };

function toCall(
  what: AnyDefinition,
  method: string,
  parts: PathParts,
  { common, stream = false, ...request }: RequestParts & { readonly common: Headers; readonly stream?: boolean },
): GatedCall {
  const path = `${formatRequestPath({ ...parts, group: what.group, version: what.version, plural: what.plural })}${formatQuery(request.query ?? {})}`;
  return {
    intent: { definition: what, ...(parts.namespace === undefined ? {} : { namespace: parts.namespace }) },
    request: encode(method, path, request, {
      ...common,
      accept: acceptFor(what, parts.name === undefined && !stream),
      ...request.headers,
    }),
    about: { method, resource: what, ...(parts.name === undefined ? {} : { name: parts.name }) },
  };
}

function encode(method: string, path: string, request: RequestParts, headers: Headers): TransportRequest {
  const contentType = request.contentType ?? JSON_MEDIA_TYPE;
  const content = contentOf(request);
  return {
    method,
    path,
    headers: content === undefined ? headers : { ...headers, "content-type": contentType },
    ...content,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(request.takesValues === undefined ? {} : { takesValues: request.takesValues }),
  };
}

function contentOf({ body, handsValue }: RequestParts): Pick<TransportRequest, "body" | "value"> | undefined {
  if (body === undefined) return undefined;
  return handsValue === true && typeof body === "object" && body !== null
    ? { value: body }
    : { body: stringifyJson(body) };
}

/** Lists are asked for as lists; objects, and those of watches, one by one. */
function acceptFor(what: AnyDefinition, isList: boolean): string {
  if (!isMetadataOnly(what)) return JSON_MEDIA_TYPE;
  return metadataAs(isList ? "PartialObjectMetadataList" : "PartialObjectMetadata");
}

function writeQuery(write: WriteParts, settings: ClientSettings): Query {
  return {
    fieldManager: write.fieldManager ?? settings.fieldManager ?? "kubewright",
    fieldValidation: write.fieldValidation ?? settings.fieldValidation,
    dryRun: (write.dryRun ?? settings.dryRun) === true ? "All" : undefined,
    force: write.force === true ? true : undefined,
  };
}
