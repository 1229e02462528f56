/** Every expectation of a cluster's controllers. */
import { daemonSets } from "./daemon-sets.ts";
import { deletion } from "./deletion.ts";
import type { Expectation } from "./expectation.ts";
import { infrastructure } from "./infrastructure.ts";
import { jobPolicies } from "./job-policies.ts";
import { jobs } from "./jobs.ts";
import { placement } from "./placement.ts";
import { rollouts } from "./rollouts.ts";
import { services } from "./services.ts";
import { statefulSets } from "./stateful-sets.ts";

/** All expectations. */
export const expectations: readonly Expectation[] = [
  ...rollouts,
  ...statefulSets,
  ...daemonSets,
  ...deletion,
  ...jobs,
  ...jobPolicies,
  ...placement,
  ...services,
  ...infrastructure,
];
