/**
 * What goes on the wire of a request of the client: path, query, headers and body, made of what the operation says. Pure; requester.ts
 * sends it.
 */
import { stringifyJson } from "@kubewright/core/meta";
import type { Headers, RequestTarget, TransportRequest } from "@kubewright/core/ports";
import {
  formatAcceptAs,
  formatQuery,
  formatRequestPath,
  JSON_MEDIA_TYPE,
  PATCH_MEDIA_TYPES,
} from "@kubewright/core/protocol";
import { type AnyDefinition, isMetadataOnly } from "./definitions.ts";

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
  /** Its parameters, or what they are as text. */
  readonly query?: Query | string | undefined;
  readonly body?: unknown;
  /** @default "application/json" */
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The answer may be shared with others in this process, and frozen; "lean" without managedFields. @default false */
  readonly takesValues?: boolean | "lean";
  /** The body is not used again. @default false */
  readonly givesBody?: boolean | undefined;
  /** @default {} */
  readonly headers?: Headers | undefined;
}

/** The request with its content; in process the body may go as it is. */
export function encode(
  line: Pick<TransportRequest, "method" | "path" | "target"> & { readonly headers: Headers },
  { body, contentType = JSON_MEDIA_TYPE, givesBody, signal, takesValues }: RequestParts,
  handsValue: boolean,
): TransportRequest {
  const request: { -readonly [Part in keyof TransportRequest]: TransportRequest[Part] } = line;
  if (body !== undefined) {
    request.headers = withContentType(line.headers, contentType);
    if (handsValue && typeof body === "object" && body !== null) {
      request.value = body;
      request.givesValue = givesBody;
    } else request.body = stringifyJson(body);
  }
  if (signal !== undefined) request.signal = signal;
  if (takesValues !== undefined) request.takesValues = takesValues;
  return request;
}

/** Path and query, beside what they are made of. */
export function targetOf(
  { group, version, plural }: AnyDefinition,
  { namespace, name, subresource }: PathParts,
  { query: parameters }: RequestParts,
): RequestTarget {
  const path = formatRequestPath({ group, version, plural, namespace, name, subresource });
  const query = typeof parameters === "string" ? parameters : formatQuery(parameters ?? {});
  return { group, version, plural, namespace, name, subresource, path, query, of: path + query };
}

/** Nearly all requests have the same headers, and nobody changes them. */
const JSON_HEADERS: Headers = { accept: JSON_MEDIA_TYPE };
/** The same with a body, by its type. */
const BODY_HEADERS = new Map<string, Headers>(
  [JSON_MEDIA_TYPE, ...Object.values(PATCH_MEDIA_TYPES)].map((type) => [
    type,
    { ...JSON_HEADERS, "content-type": type },
  ]),
);

/** The headers of a request: those of all requests of its client, what it accepts, and its own. */
export function headersOf(accept: string, common: Headers | undefined, own: Headers | undefined): Headers {
  const isPlain = common === undefined && own === undefined && accept === JSON_MEDIA_TYPE;
  return isPlain ? JSON_HEADERS : { ...common, accept, ...own };
}

function withContentType(headers: Headers, contentType: string): Headers {
  const known = headers === JSON_HEADERS ? BODY_HEADERS.get(contentType) : undefined;
  return known ?? { ...headers, "content-type": contentType };
}

const metadataAs = (kind: string): string => formatAcceptAs({ group: "meta.k8s.io", version: "v1", kind });

/** Lists are asked for as lists; objects, and those of watches, one by one. */
export function acceptFor(what: AnyDefinition, isList: boolean): string {
  if (!isMetadataOnly(what)) return JSON_MEDIA_TYPE;
  return metadataAs(isList ? "PartialObjectMetadataList" : "PartialObjectMetadata");
}
