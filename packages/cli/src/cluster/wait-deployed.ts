/** Waits until the operator's Deployment is rolled out; when it is not in time, says what its pods wait for. */
import { Deployment } from "@kubewright/api/apps/v1";
import { Pod } from "@kubewright/api/core/v1";
import { formatLabels } from "@kubewright/core/meta";
import { type Client, waitFor } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";
import type { Deadline } from "./deadline.ts";

/** Which Deployment. */
export interface DeployedTarget {
  readonly name: string;
  readonly namespace: string;
}

/** Resolves when all replicas of the newest version are available. */
export async function waitDeployed(client: Client, target: DeployedTarget, deadline: Deadline): Promise<void> {
  try {
    await waitFor(client, Deployment, target, { condition: isRolledOut, signal: deadline.signal });
  } catch (error) {
    if (!deadline.expired) throw error;
    throw new CommandError(`the operator is not ready in time: ${await whyNot(client, target)}`, {
      remedy: `look closer: kubectl -n ${target.namespace} describe deployment ${target.name}`,
    });
  }
}

function isRolledOut(deployment: Deployment | undefined): boolean {
  const { spec, status, metadata } = deployment ?? {};
  const replicas = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) >= replicas &&
    (status?.availableReplicas ?? 0) >= replicas &&
    (status?.replicas ?? 0) <= replicas
  );
}

async function whyNot(client: Client, { name, namespace }: DeployedTarget): Promise<string> {
  const deployment = await client.find(Deployment, { name, namespace });
  if (deployment === undefined) return "its Deployment is gone";
  const labelSelector = formatLabels(deployment.spec?.selector?.matchLabels ?? {});
  const { items } = await client.list(Pod, { namespace, labelSelector });
  const reasons = items.flatMap(podProblems);
  if (reasons.length > 0) return reasons.join("; ");
  const failed = deployment.status?.conditions?.find(({ status }) => status === "False");
  return (
    failed?.message ?? `${deployment.status?.availableReplicas ?? 0} of ${deployment.spec?.replicas ?? 1} replicas`
  );
}

function podProblems({ metadata, status }: Pod): readonly string[] {
  const waiting = (status?.containerStatuses ?? []).flatMap(({ name, state, ready }) => {
    const { reason, message } = state?.waiting ?? state?.terminated ?? {};
    if (reason !== undefined) return [`container ${name}: ${reason}${message === undefined ? "" : ` (${message})`}`];
    return ready ? [] : [`container ${name} is not ready`];
  });
  const scheduling = (status?.conditions ?? [])
    .filter(({ type, status: state }) => type === "PodScheduled" && state === "False")
    .map(({ message }) => message ?? "not scheduled");
  return [...waiting, ...scheduling].map((text) => `pod ${metadata?.name}: ${text}`);
}
