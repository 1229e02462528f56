/**
 * Ports of simulated containers: a connection to one is served by an HTTP server without a socket, which answers as the
 * container's script says. The API server forwards connections here.
 */
import type { IncomingMessage } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import type { Pod } from "@kubewright/api/core/v1";
import type { PodPortRequest } from "@kubewright/apiserver";
import { readBody } from "@kubewright/core/ports";
import { behaviourOf, type ContainerScript, type PortRequest, type PortResponse, type PortScript } from "./script.ts";

/** Connects to a port. Rejects, in the words of a container runtime, when no running container listens there. */
export async function openPort({ pod, port }: PodPortRequest, scripts: readonly ContainerScript[]): Promise<Duplex> {
  const script = portScript(pod, port, scripts);
  if (script === undefined) {
    const refusal = `dial tcp4 127.0.0.1:${port}: connect: connection refused`;
    throw new Error(`failed to connect to localhost:${port} inside namespace "${pod.metadata?.uid}", IPv4: ${refusal}`);
  }
  const { createServer } = await import("node:http"); // Few need it, and loading it takes long.
  const server = createServer(async (request, response) => {
    try {
      const { status = 200, headers = {}, body = "" } = answer(script, await describe(request), pod);
      response.writeHead(status, headers).end(body);
    } catch (error) {
      response.writeHead(500).end(String(error)); // A script that throws is a server that fails.
    }
  });
  const [near, far] = duplexPair();
  server.emit("connection", far);
  return near;
}

/** The script of the running container that listens on a port. */
function portScript(pod: Pod, port: number, scripts: readonly ContainerScript[]): PortScript | undefined {
  const statuses = pod.status?.containerStatuses ?? [];
  const running = new Set(statuses.filter(({ state }) => state?.running !== undefined).map(({ name }) => name));
  const containers = pod.spec?.containers.filter(({ name }) => running.has(name)) ?? [];
  const found = containers.map((container) => behaviourOf(scripts, pod, container, false).script.ports?.[port]);
  return found.find((script) => script !== undefined);
}

function answer(script: PortScript, request: PortRequest, pod: Pod): PortResponse {
  return typeof script === "string" ? { headers: TEXT, body: script } : script(request, pod);
}

const TEXT = { "content-type": "text/plain; charset=utf-8" };

async function describe(request: IncomingMessage): Promise<PortRequest> {
  const { method = "GET", url: path = "/" } = request;
  const headers = Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  const body = Buffer.from(await readBody(request)).toString("utf8");
  return { method, path, headers: Object.fromEntries(headers), body };
}
