/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { hpaController } from "./controllers/hpa.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [hpaController] };

if (import.meta.main) await runOperator(operator);
