/**
 * Ports of the loopback for programs that must be told theirs. A port is free when it is asked for, not yet when a program takes it:
 * whoever starts one does so through `onFreePorts`, which tries others when somebody was faster.
 */
import { createServer, type Server } from "node:net";

const ATTEMPTS_MAX = 5;
/** What Go and Node.js say of a port that is taken. */
const TAKEN = /address already in use/;

/** Starts something on `count` ports that nobody listens on, none of them twice. */
export async function onFreePorts<Started>(
  count: number,
  start: (ports: readonly number[]) => Promise<Started>,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      const isTaken = error instanceof Error && TAKEN.test(error.message);
      if (!isTaken || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** All are held until the last is found: a port that was given back may be given out again. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
