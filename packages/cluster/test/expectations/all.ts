/** Every expectation of a cluster's controllers. */
import { accounts } from "./accounts.ts";
import { certificates } from "./certificates.ts";
import { cronJobs } from "./cron-jobs.ts";
import { daemonSets } from "./daemon-sets.ts";
import { deletion } from "./deletion.ts";
import { evictions } from "./evictions.ts";
import type { Expectation } from "./expectation.ts";
import { infrastructure } from "./infrastructure.ts";
import { jobLimits } from "./job-limits.ts";
import { jobPolicies } from "./job-policies.ts";
import { jobs } from "./jobs.ts";
import { nodes } from "./nodes.ts";
import { placement } from "./placement.ts";
import { preferences } from "./preferences.ts";
import { replicaSets } from "./replica-sets.ts";
import { rolloutLimits } from "./rollout-limits.ts";
import { rollouts } from "./rollouts.ts";
import { serviceRanges } from "./service-ranges.ts";
import { services } from "./services.ts";
import { statefulSetUpdates } from "./stateful-set-updates.ts";
import { statefulSets } from "./stateful-sets.ts";
import { volumes } from "./volumes.ts";
import { wholeStates } from "./whole-states.ts";

/** All expectations. */
export const expectations: readonly Expectation[] = [
  ...rollouts,
  ...rolloutLimits,
  ...replicaSets,
  ...statefulSets,
  ...statefulSetUpdates,
  ...daemonSets,
  ...deletion,
  ...jobs,
  ...jobPolicies,
  ...jobLimits,
  ...cronJobs,
  ...placement,
  ...preferences,
  ...volumes,
  ...services,
  ...serviceRanges,
  ...infrastructure,
  ...evictions,
  ...accounts,
  ...certificates,
  ...wholeStates,
  ...nodes,
];

/** Those that may run beside each other, and then those that may not. */
export const rounds: readonly { readonly concurrency: number; readonly expectations: readonly Expectation[] }[] = [
  { concurrency: 8, expectations: expectations.filter(({ alone }) => !alone) },
  { concurrency: 1, expectations: expectations.filter(({ alone }) => alone) },
];
