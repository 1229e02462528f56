/** What a Job's `podFailurePolicy` makes of a failed pod. Pure; the first rule that matches decides. */
import type { Job, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from "@kubewright/api/batch/v1";
import type { ContainerStatus, Pod } from "@kubewright/api/core/v1";

/** The rule that matched. */
export interface PolicyMatch {
  readonly action: PodFailurePolicyRule["action"];
  /** Which rule matched what, in the words of the Job's condition. */
  readonly message: string;
}

/** The match of a failed pod, or undefined when no rule speaks of it: it counts as usual. */
export function matchFailurePolicy(job: Job, pod: Pod): PolicyMatch | undefined {
  for (const [index, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const what = rule.onExitCodes === undefined ? conditionMatch(rule, pod) : exitCodeMatch(rule.onExitCodes, pod);
    if (what === undefined) continue;
    return { action: rule.action, message: `${what} matching ${rule.action} rule at index ${index}` };
  }
  return undefined;
}

/** False when the policy says that the failure of this pod is nobody's fault. */
export function isFailureCounted(job: Job, pod: Pod): boolean {
  return matchFailurePolicy(job, pod)?.action !== "Ignore";
}

function exitCodeMatch(requirement: PodFailurePolicyOnExitCodesRequirement, pod: Pod): string | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const found = [...containerStatuses, ...initContainerStatuses].find((status) => hasExitCode(requirement, status));
  if (found === undefined) return undefined;
  return `Container ${found.name} for pod ${nameOf(pod)} failed with exit code ${found.state?.terminated?.exitCode}`;
}

/** A container that ended well, or has not ended, matches nothing: not even NotIn. */
function hasExitCode(
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
  { name, state }: ContainerStatus,
): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0 || (containerName ?? name) !== name) return false;
  return values.includes(exitCode) === (operator === "In");
}

function conditionMatch({ onPodConditions = [] }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const found = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions.some((pattern) => pattern.type === type && (pattern.status ?? "True") === status),
  );
  return found === undefined ? undefined : `Pod ${nameOf(pod)} has condition ${found.type}`;
}

function nameOf({ metadata }: Pod): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}
