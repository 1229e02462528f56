/** The transport without a socket: requests go straight to the server, answers come back as they would on the wire. */
import type { Transport, TransportRequest, TransportResponse } from "@kubewright/core/ports";
import { LateBody } from "../request/late-body.ts";
import type { ApiResponse, Connection } from "../request/request.ts";
import type { Serve } from "./serve.ts";

/** What a transport needs of the server. */
export interface TransportParts {
  readonly serve: Serve;
  readonly connection: Connection;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** Written field by field: every request has one. */
type Answer = { -readonly [Part in keyof TransportResponse]: TransportResponse[Part] };

const NO_BODY = new Uint8Array();
const NO_CHUNKS = new LateBody(() => NO_BODY);

/** Makes a transport whose requests come over one trusted connection. */
export function createTransport({ serve, connection, closing }: TransportParts): Transport {
  return {
    inProcess: true,
    async send(request: TransportRequest): Promise<TransportResponse> {
      closing.throwIfAborted();
      request.signal?.throwIfAborted();
      const signal = signalFor(request, closing);
      const { method, path, target, headers = {}, body = NO_BODY, value: given, givesValue, takesValues } = request;
      const bytes = typeof body === "string" ? Buffer.from(body) : body;
      const incoming = { method, path, target, headers, body: bytes, given, givesValue, signal, takesValues };
      const response = await serve(incoming, connection);
      request.signal?.throwIfAborted();
      if (response.isLost === true) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      const { status, events, value, messages } = response;
      if (events !== undefined) return { status, headers: response.headers, body: NO_CHUNKS, events };
      const answer: Answer = { status, headers: response.headers, body: toChunks(response.body) };
      if (value !== undefined) answer.value = value();
      if (messages !== undefined) answer.reply = (message) => void messages.take(message, true);
      return answer;
    },
  };
}

/** Only watches outlive their answer's head, so only they must hear of both. */
function signalFor({ signal, path }: TransportRequest, closing: AbortSignal): AbortSignal {
  if (signal === undefined) return closing;
  return path.includes("watch") ? AbortSignal.any([signal, closing]) : signal;
}

function toChunks(body: ApiResponse["body"]): AsyncIterable<Uint8Array> {
  return typeof body === "string" || body instanceof Uint8Array ? new LateBody(() => body) : body;
}
