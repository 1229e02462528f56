/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { microServiceController } from "./controllers/micro-service-deploy.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [microServiceController] };

if (import.meta.main) await runOperator(operator);
