/**
 * The transport port: every API request goes through one of these, whether to a real cluster over TLS or to the
 * embedded API server in the same process. The runtime's client calls it; the API server and the HTTP transport
 * implement it; the testing package wraps it to inject faults.
 */

/** Ends each value of a repeated header whose values may have commas: those of impersonation. */
export const HEADER_VALUE_END = "\n";

/** Header names are lower case; a repeated header is one value joined by ", ", or by `HEADER_VALUE_END` behind each. */
export type Headers = Readonly<Record<string, string>>;

/** Where objects are: a resource definition gives group, version and plural. */
export interface PathTarget {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent or "" for all namespaces and for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** Absent for the collection. */
  readonly name?: string | undefined;
  /** "status", "scale" …; needs a name, except for those that the server offers on collections. */
  readonly subresource?: string | undefined;
}

/** What a request's path was made of. */
export interface RequestTarget extends PathTarget {
  /** Path and query that were made: of a request with others this says nothing. */
  readonly of: string;
  /** The path alone. */
  readonly path: string;
  /** "?a=b", or "". */
  readonly query: string;
}

/** One request to an API server. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query as they go on the wire, starting with "/". */
  readonly path: string;
  /** What `path` was made of, for transports that are in process: there nobody needs to take it apart again. */
  readonly target?: RequestTarget | undefined;
  /** @default {} */
  readonly headers?: Headers;
  /** The whole body; absent means none. */
  readonly body?: string | Uint8Array;
  /** In place of the body, what it would say as JSON; only for transports that are in process, which take a copy of it. */
  readonly value?: object;
  /** Nobody uses `value` again, so that it may be kept, and frozen, in place of a copy. @default false */
  readonly givesValue?: boolean | undefined;
  /** Ends the request, and its response body, as soon as it aborts. */
  readonly signal?: AbortSignal;
  /**
   * The answer may be handed over as it is in memory, as `value` or `events` of the response; transports without such a
   * way ignore it. "lean" when objects may come without managedFields. @default false
   */
  readonly takesValues?: boolean | "lean";
}

/** One event of a watch, handed over in memory. */
export interface HandedEvent {
  readonly type: string;
  readonly object: object;
}

/** A body as it arrives. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
  /**
   * Calls `take` with each piece in the moment it comes, in place of iterating. A piece is good until `take` returns. Resolves at the end
   * of the body; what `take` throws ends it. @default pieces must be asked for
   */
  drain?(take: (piece: Uint8Array) => void): Promise<void>;
}

/** The answer to a request. Any status is an answer: only a failure to get one rejects. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * The body as it arrives. It must be read to its end or its iterator returned, which releases the connection.
   * It throws when the connection breaks before the end.
   */
  readonly body: ResponseBody;
  /** What the body says, for requests that take values: shared and deeply frozen. The body need not be read then. */
  readonly value?: object;
  /**
   * Sends a message to the other side, for requests with the header `upgrade: websocket`, whose answers have the status 101 or 200 and
   * one message in each piece of the body. Absent where only the other side can speak.
   */
  readonly reply?: (message: Uint8Array) => void;
  /** The events of a watch, many at once as they come, for requests that take values; `body` is empty then. */
  readonly events?: AsyncIterable<readonly HandedEvent[]>;
}

/** Sends requests to one API server. */
export interface Transport {
  /**
   * Requests stay in this process: a stream that is silent is alive, and needs no sign of it, and answers may be handed
   * over as values. A wrapper that changes bodies is not in process. @default false
   */
  readonly inProcess?: boolean | undefined;
  /** Sends one request; resolves with the head of the answer. Rejects when no answer came. */
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** Calls `take` with each piece of a body, as soon as it can be had; the piece is good until `take` returns. */
export async function drainBody(body: ResponseBody, take: (piece: Uint8Array) => void): Promise<void> {
  if (body.drain !== undefined) return body.drain(take);
  for await (const piece of body) take(piece);
}

/** Reads a body to its end, as one piece of bytes. */
export async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : concatenate(chunks, length);
}

/** The pieces, `length` bytes together, as one. */
export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
