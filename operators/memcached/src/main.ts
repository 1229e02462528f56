/** The operator: `node src/main.ts --help` shows its flags. */
import { runOperator } from "kubewright";
import { memcachedController } from "./controllers/memcached.ts";

/** What this operator runs; CRDs and RBAC are derived from it. */
export const operator = { controllers: [memcachedController] };

if (import.meta.main) await runOperator(operator);
