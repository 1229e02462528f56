/**
 * Answers to the pings of a WebSocket server. websocket.ts gives it what they hold. Always holds: while the server does not read, one
 * answer waits at most, that to the latest ping, which is all that RFC 6455 (section 5.5.3) asks for.
 */
import type { Writable } from "node:stream";

/** Takes what each ping holds, and sends it back as soon as the socket takes more. */
export function createPingAnswers(
  socket: Writable,
  sendPong: (payload: Uint8Array) => void,
): (payload: Uint8Array) => void {
  let waiting: Uint8Array | undefined;
  socket.on("drain", () => {
    if (waiting !== undefined) sendPong(waiting);
    waiting = undefined;
  });
  return (payload) => {
    if (socket.writableNeedDrain) waiting = payload;
    else sendPong(payload);
  };
}
