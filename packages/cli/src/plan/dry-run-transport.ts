/**
 * A transport through which nothing changes: every write goes out as a dry run (`dryRun=All`), which the API server judges and
 * answers as if it were meant, and is noted with the state before and after. plan-steps.ts runs controllers on it.
 */
import { type JsonObject, type KubernetesObject, parseJson } from "@kubewright/core/meta";
import { readBody, type Transport, type TransportRequest } from "@kubewright/core/ports";
import { parseRequest, type ResourceRequest } from "@kubewright/core/protocol";

/** A write that would have been made. */
export interface DryWrite {
  readonly request: ResourceRequest;
  /** Undefined where there was nothing. */
  readonly before: KubernetesObject | undefined;
  /** What the server would have stored; of deletions, what it would have removed. */
  readonly after: KubernetesObject;
}

/** Sends reads as they are and writes as dry runs; `onWrite` hears of those that the server would have made. */
export function dryRunTransport(inner: Transport, onWrite: (write: DryWrite) => void): Transport {
  return {
    async send(request) {
      const info = parseRequest(request.method, request.path);
      if (request.method === "GET" || !info.isResource) return inner.send(request);
      const before = info.name === "" ? undefined : await read(inner, request);
      const path = `${request.path}${request.path.includes("?") ? "&" : "?"}dryRun=All`;
      const { takesValues: _, ...plain } = request;
      const response = await inner.send({ ...plain, path });
      const body = await readBody(response.body);
      if (response.status < 300) onWrite({ request: info, before, after: parseObject(body) });
      return { status: response.status, headers: response.headers, body: once(body) };
    },
  };
}

async function read(
  inner: Transport,
  { path, headers = {}, signal }: TransportRequest,
): Promise<KubernetesObject | undefined> {
  const { "content-type": _, "content-length": __, ...rest } = headers;
  const [plain = path] = path.split("?");
  const response = await inner.send({ method: "GET", path: plain, headers: rest, ...(signal && { signal }) });
  const body = await readBody(response.body);
  return response.status === 200 ? parseObject(body) : undefined;
}

/** What a server answers with status 2xx to a request about an object is an object. */
function parseObject(body: Uint8Array): KubernetesObject {
  return parseJson(new TextDecoder().decode(body)) as JsonObject as KubernetesObject;
}

async function* once(body: Uint8Array): AsyncIterable<Uint8Array> {
  yield body;
}
