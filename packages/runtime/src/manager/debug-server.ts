/**
 * The debug server of an operator: what it did lately, for `kubewright why`. It listens on loopback only, so whoever reaches
 * it is on the machine or came through a port-forward, which RBAC guards; requests that a browser was tricked into sending
 * (another Host) are refused. It tells names of objects and fields, never values.
 */
import { RECONCILES_PATH } from "../controller/reconcile-history.ts";
import { configurationError } from "../kubeconfig/configuration-error.ts";
import type { Manager } from "./lifecycle.ts";
import { type ProbeAnswer, type ProbeServer, startProbeServer } from "./probe-server.ts";

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/;

/** Starts the server; throws for an address that others could reach. */
export async function startDebugServer(address: string, { history }: Pick<Manager, "history">): Promise<ProbeServer> {
  if (!LOOPBACK.test(address)) {
    throw configurationError(`${JSON.stringify(address)} could be reached by others; write "127.0.0.1:8082"`);
  }
  return startProbeServer({
    address,
    async answer(path, { host = "" }): Promise<ProbeAnswer | undefined> {
      if (!LOOPBACK.test(host)) return { status: 403, text: "only loopback names are answered\n" };
      if (path !== RECONCILES_PATH) return undefined;
      const text = `${JSON.stringify({ reconciles: history.list() })}\n`;
      return { status: 200, text, contentType: "application/json" };
    },
  });
}
