/**
 * What stands in for etcd: the API server keeps its objects itself, so this only says that it is well, which is all
 * that envtest asks. It listens where `--listen-client-urls` says, until it is told to stop.
 */
import { createServer, type Server } from "node:http";
import { flagOf, type GoFlags, listFlagOf } from "./go-flags.ts";

/** Where etcd listens unless told otherwise. */
const CLIENT_URL_DEFAULT = "http://127.0.0.1:2379";

/** Serves until `stopped` aborts. Throws when it cannot listen. */
export async function runEtcd(flags: GoFlags, { stopped, note }: RunContext): Promise<void> {
  const urls = listFlagOf(flags, "listen-client-urls");
  const servers = await Promise.all((urls.length === 0 ? [CLIENT_URL_DEFAULT] : urls).map((url) => listen(url)));
  note(`etcd: listening on ${urls.join(", ")}; data in ${flagOf(flags, "data-dir") ?? "memory"} is not used`);
  await whenAborted(stopped);
  await Promise.all(servers.map(closeServer));
}

/** What the process gives to a program. */
export interface RunContext {
  /** Aborts when the process is asked to stop. */
  readonly stopped: AbortSignal;
  /** Prints a line about what happens. */
  note(line: string): void;
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function listen(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const isHealth = request.url === "/health";
    response.writeHead(isHealth ? 200 : 404, { "content-type": "application/json" });
    response.end(isHealth ? '{"health":"true","reason":""}' : "{}");
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port === "" ? 80 : port), hostname.replace(/^\[|\]$/g, ""), () => resolve(server));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
