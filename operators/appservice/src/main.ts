/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { appServiceController } from "./controllers/app-service.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [appServiceController] };

if (import.meta.main) await runOperator(operator);
