/** Every expectation of a cluster's controllers. */
import { deletion } from "./deletion.ts";
import type { Expectation } from "./expectation.ts";
import { jobs } from "./jobs.ts";
import { rollouts } from "./rollouts.ts";
import { services } from "./services.ts";

/** All expectations. */
export const expectations: readonly Expectation[] = [...rollouts, ...deletion, ...jobs, ...services];
