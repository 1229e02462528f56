/**
 * Which protocol the two sides of an upgraded connection speak. Clients name theirs in the order of their liking: in one
 * header for SPDY, in another for WebSockets that tunnel SPDY, where each has a prefix.
 */
import type { Headers } from "@kubewright/core/ports";
import { apiError, badRequest } from "@kubewright/core/protocol";

const TUNNELLED = "SPDY/3.1+";

/** True for a request to switch to bare SPDY, as clients before 1.30 send it. */
export function isSpdyUpgrade(headers: Headers): boolean {
  return headers["upgrade"]?.toLowerCase() === "spdy/3.1";
}

/** True for a request to switch to a WebSocket whose messages have channels. */
export function isChannelUpgrade(headers: Headers): boolean {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((protocol) => protocol.trim());
  return headers["upgrade"]?.toLowerCase() === "websocket" && offered.includes("v4.channel.k8s.io");
}

/** The first protocol of the client's that is also in `accepted`, as the answer names it. Throws when there is none. */
export function agreeOnProtocol(headers: Headers, accepted: readonly string[]): string {
  if (headers["upgrade"] === undefined) throw badRequest("Upgrade request required");
  const isSpdy = isSpdyUpgrade(headers);
  const header = isSpdy ? "x-stream-protocol-version" : "sec-websocket-protocol";
  const offered = (headers[header] ?? "").split(",").map((protocol) => protocol.trim());
  const acceptable = isSpdy ? accepted : accepted.map((protocol) => TUNNELLED + protocol);
  const agreed = offered.find((protocol) => acceptable.includes(protocol));
  if (agreed !== undefined && (isSpdy || headers["sec-websocket-key"] !== undefined)) return agreed;
  const sides = `client supports [${offered.join(" ")}], server accepts [${acceptable.join(" ")}]`;
  throw apiError(403, "Forbidden", `unable to upgrade: unable to negotiate protocol: ${sides}`);
}
