/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { applicationController } from "./controllers/application.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [applicationController] };

if (import.meta.main) await runOperator(operator);
