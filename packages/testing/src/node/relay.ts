/**
 * Passes connections on: what comes in at one address goes out at another. Unix sockets cross network namespaces, so two
 * relays that meet at one let a program reach a port of a namespace that it is not in.
 */
import { connect, createServer, type Socket } from "node:net";

/** A unix socket, or a port of an address. */
export type RelayEnd = { readonly path: string } | { readonly host: string; readonly port: number };

/** From where to where. */
export interface Relay {
  readonly from: RelayEnd;
  readonly to: RelayEnd;
}

/** Listens at `from` and passes each connection on to `to`, as long as the process lives; resolves when it listens. */
export function startRelay({ from, to }: Relay): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ ...to, allowHalfOpen: true });
    join(incoming, outgoing);
    join(outgoing, incoming);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(from, () => resolve());
  });
}

/** What `source` sends goes to `target`; when one breaks, so does the other. */
function join(source: Socket, target: Socket): void {
  source.on("error", () => target.destroy());
  source.once("close", () => target.end());
  source.pipe(target);
}
