/**
 * Webhook calls over HTTPS. Connections are kept and reused per authority; what goes wrong is told in Go's words, because
 * people and tests know those.
 */
import type { Agent } from "node:https";
import type { SendWebhook, WebhookAnswer, WebhookRequest } from "./caller.ts";

/** A sender with connections of its own. */
export interface HttpsSender {
  readonly send: SendWebhook;
  close(): void;
}

/** Answers beyond this size are refused. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const AGENTS_MAX = 256;

/** Makes a sender. */
export function createHttpsSender(): HttpsSender {
  const agents = new Map<string, Agent>();
  const agentOf = async (caBundle = ""): Promise<Agent> => {
    const { Agent } = await import("node:https");
    const known = agents.get(caBundle);
    if (known !== undefined) return known;
    const [oldest] = agents.keys();
    if (agents.size >= AGENTS_MAX && oldest !== undefined) {
      agents.get(oldest)?.destroy();
      agents.delete(oldest);
    }
    const ca = caBundle === "" ? {} : { ca: Buffer.from(caBundle, "base64") };
    // Go takes any certificate of the bundle as an authority, a leaf too: envtest names its webhook's own certificate.
    const agent = new Agent({ keepAlive: true, allowPartialTrustChain: true, ...ca });
    agents.set(caBundle, agent);
    return agent;
  };
  return {
    send: async (request) => post(request, await agentOf(request.caBundle)),
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

async function post({ url, address, body, signal }: WebhookRequest, agent: Agent): Promise<WebhookAnswer> {
  const { hostname, port, pathname, search } = new URL(url);
  const host = address?.host ?? hostname.replace(/^\[|\]$/g, "");
  const portNumber = address?.port ?? Number(port === "" ? 443 : port);
  const options = {
    method: "POST",
    agent,
    signal,
    host,
    port: portNumber,
    path: `${pathname}${search}`,
    ...(isName(hostname) ? { servername: hostname } : {}),
    headers: {
      host: new URL(url).host,
      accept: "application/json, */*",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "kube-apiserver-admission",
    },
  };
  const { request: startRequest } = await import("node:https");
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(new Error(describe(error, host, portNumber), { cause: error }));
    const request = startRequest(options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.byteLength;
        if (length > ANSWER_BYTES_MAX) response.destroy(new Error("webhook response body is too large"));
        else chunks.push(chunk);
      });
      response.on("error", fail);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    request.on("error", fail);
    request.end(body);
  });
}

/** TLS names servers, not addresses. */
function isName(hostname: string): boolean {
  return !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
}

const TLS_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate signed by unknown authority"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate signed by unknown authority"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate signed by unknown authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate signed by unknown authority"],
  ["CERT_HAS_EXPIRED", "certificate has expired or is not yet valid"],
]);

function describe(error: NodeJS.ErrnoException, host: string, port: number): string {
  const where = `dial tcp ${host.includes(":") ? `[${host}]` : host}:${port}`;
  const tls = TLS_PROBLEMS.get(error.code ?? "");
  if (tls !== undefined) return `tls: failed to verify certificate: x509: ${tls}`;
  switch (error.code) {
    case "ECONNREFUSED":
      return `${where}: connect: connection refused`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${host}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "ABORT_ERR":
      return "context canceled";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: ${error.message}`;
    default:
      return error.message;
  }
}
