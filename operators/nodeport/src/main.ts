/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { nodePortAppController } from "./controllers/node-port-app.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [nodePortAppController] };

if (import.meta.main) await runOperator(operator);
