/** The operator by hand: `node src/low-level.ts` runs program.ts on the cluster of the kubeconfig until it is stopped. */
import { createConsoleLogger, systemClock, systemFiles, systemProcess, systemRandom } from "@kubewright/node";
import { createHttpTransport, findConnection } from "kubewright";
import { startAppProgram } from "./program.ts";

const ports = { clock: systemClock, random: systemRandom, log: createConsoleLogger({ clock: systemClock }) };
const connection = await findConnection({ env: systemProcess.env, files: systemFiles, clock: systemClock });
using transport = createHttpTransport({ ...connection, userAgent: "app-controller" });
const program = await startAppProgram({ ...ports, transport });
ports.log.info("started", { server: connection.server });
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
systemProcess.onStopSignal(stop);
await stopped;
await program.stop();
