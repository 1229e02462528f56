/** The pool of HTTP/1.1 connections, through whatever proxy there is. Node.js knows HTTP proxies; SOCKS5 is ours. */
import { Agent, type AgentOptions } from "node:https";
import { connect as connectTls } from "node:tls";
import { CONNECT_MS_MAX } from "./connect-limit.ts";
import { connectThroughSocks } from "./socks5.ts";

/** What an agent is made of. */
export interface ProxiedAgentOptions extends AgentOptions {
  /** A SOCKS5 proxy to go through. */
  readonly socksUrl?: string | undefined;
}

/** An agent whose connections go through the proxy that the options name. */
export function createAgent({ socksUrl, ...options }: ProxiedAgentOptions): Agent {
  const agent = new Agent(options);
  if (socksUrl === undefined) return agent;
  agent.createConnection = (to, made) => {
    const { host = "", port = 443, servername } = to as { host?: string; port?: number | string; servername?: string };
    connectThroughSocks(socksUrl, { host, port: Number(port) }, CONNECT_MS_MAX).then(
      (socket) => made?.(null, connectTls({ ...options, ...(servername ? { servername } : {}), socket })),
      (error: Error) => made?.(error, undefined as never),
    );
    return undefined as never; // The connection is handed over when it is there.
  };
  return agent;
}
