/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { appController } from "./controllers/app.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [appController] };

if (import.meta.main) await runOperator(operator);
