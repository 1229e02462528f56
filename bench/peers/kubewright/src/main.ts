/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { widgetController } from "./controllers/widget.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [widgetController] };

if (import.meta.main) await runOperator(operator);
