/** Installs the operator itself in a cluster, and removes it again: everything of config/default, patches included. */
import type { JsonObject } from "@kubewright/core/meta";
import type { CommandResult } from "../command/command-context.ts";
import { installationObjects } from "../manifests/installation.ts";
import { installationNames } from "../manifests/installation-names.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { applyObjects } from "./apply-objects.ts";
import { openDeadline } from "./deadline.ts";
import { type ChangeOptions, reporter } from "./install-project.ts";
import { objectsAtRisk, refuseLoss, removeAtRisk } from "./objects-at-risk.ts";
import { removeObjects } from "./remove-objects.ts";
import { waitDeployed } from "./wait-deployed.ts";

/** Applies the installation and waits until the operator is ready. */
export async function deployProject(
  { config, project }: LoadedProject,
  options: ChangeOptions & { readonly image: string; readonly wait: boolean },
): Promise<CommandResult> {
  const { client, context, dryRun, image, wait } = options;
  using deadline = openDeadline(context.clock, options.timeout, context.signal);
  const all = await installationObjects({ ...config, image }, project);
  const onApplied = reporter(context, dryRun);
  const objects = await applyObjects(all, { client, dryRun, signal: deadline.signal, onApplied });
  if (!wait || dryRun) return { data: { dryRun, image, ready: false, objects } };
  const { manager: name, namespace } = installationNames(config);
  context.note(`waiting for deployment ${name} in ${namespace}`);
  await waitDeployed(client, { name, namespace }, deadline);
  return { text: `the operator runs: ${image} in ${namespace}`, data: { dryRun, image, ready: true, objects } };
}

/** Removes the operator: first the objects it keeps (it must still run for their finalizers), then everything of it. */
export async function undeployProject(
  { config, project }: LoadedProject,
  options: ChangeOptions & { readonly force: boolean; readonly keepCrds: boolean },
): Promise<CommandResult> {
  const { client, context, dryRun, keepCrds } = options;
  using deadline = openDeadline(context.clock, options.timeout, context.signal);
  const { signal } = deadline;
  if (!keepCrds) {
    const lost = await objectsAtRisk(client, project.resources, signal);
    if (!options.force) refuseLoss(lost);
    if (!dryRun) await removeAtRisk(client, lost, { signal, expired: () => deadline.expired });
  }
  const all = await installationObjects(config, project);
  const going = all.toReversed().filter(({ kind }) => !keepCrds || kind !== "CustomResourceDefinition");
  const onRemoved = reporter(context, dryRun);
  const objects = await removeObjects(operatorFirst(going), { client, dryRun, wait: true, signal, onRemoved });
  return { text: objects.length === 0 ? "nothing is deployed" : "", data: { dryRun, objects } };
}

/** The operator ends before its rights do, so that it does not fail on the way out. */
function operatorFirst(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted(
    (left, right) => Number(right["kind"] === "Deployment") - Number(left["kind"] === "Deployment"),
  );
}
