/** SPDY, loaded by the first connection that speaks it: few do, and zlib would slow every start of a server. */
import type { Duplex } from "node:stream";
import type { SpdyStream } from "../spdy/connection.ts";

/** Serves a connection, handing each stream to `onStream`; resolves when the connection is closed. */
export async function serveSpdy(connection: Duplex, onStream: (stream: SpdyStream) => void): Promise<void> {
  const spdy = await import("../spdy/connection.ts");
  return spdy.serveSpdy(connection, onStream);
}
