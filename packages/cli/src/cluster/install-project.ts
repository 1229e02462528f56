/** Installs and uninstalls the CRDs of a project. */
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import type { Crd } from "@kubewright/core/schema";
import { type Client, hasCondition, waitFor } from "@kubewright/runtime";
import type { CommandContext, CommandResult } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { crdsOf } from "../manifests/manifest-tree.ts";
import type { OperatorProject } from "../project/load-operator.ts";
import { applyObjects } from "./apply-objects.ts";
import { breakingChanges } from "./breaking-changes.ts";
import { openDeadline } from "./deadline.ts";
import { objectsAtRisk, refuseLoss, removeAtRisk } from "./objects-at-risk.ts";
import { removeObjects } from "./remove-objects.ts";

/** How a command changes a cluster. */
export interface ChangeOptions {
  readonly client: Client;
  readonly context: CommandContext;
  readonly dryRun: boolean;
  /** "1m" */
  readonly timeout: string;
}

/** Installs the CRDs and waits until they are served. */
export async function installProject(project: OperatorProject, options: ChangeOptions): Promise<CommandResult> {
  const { client, context, dryRun } = options;
  const crds = crdsOf(project.resources).map(([crd]) => crd);
  if (crds.length === 0) {
    throw new CommandError("the project has no kinds, so there is nothing to install", {
      remedy: "add one: kubewright create api --group cache --version v1alpha1 --kind Memcached",
    });
  }
  using deadline = openDeadline(context.clock, options.timeout, context.signal);
  for (const crd of crds) await warnOfBreakingChanges(crd as unknown as Crd, client, context);
  const report = reporter(context, dryRun);
  const objects = await applyObjects(crds, { client, dryRun, signal: deadline.signal, onApplied: report });
  if (!dryRun) for (const crd of crds) await waitEstablished(client, crd as KubernetesObject, deadline);
  return { data: { dryRun, objects } };
}

/** They are the user's to decide: a field may be gone on purpose. */
async function warnOfBreakingChanges(wanted: Crd, client: Client, context: CommandContext): Promise<void> {
  const installed = await client.find(CustomResourceDefinition, wanted.metadata.name);
  if (installed === undefined) return;
  // A CRD in the API's words is one in its own: the types differ only in how closed their unions are.
  for (const line of breakingChanges(installed as unknown as Crd, wanted)) context.note(`warning: ${line}`);
}

async function waitEstablished(
  client: Client,
  { metadata }: KubernetesObject,
  deadline: ReturnType<typeof openDeadline>,
): Promise<void> {
  const name = metadata?.name ?? "";
  const { signal } = deadline;
  try {
    await waitFor(client, CustomResourceDefinition, name, { condition: hasCondition("Established"), signal });
  } catch (error) {
    if (!deadline.expired) throw error;
    throw new CommandError(`the cluster does not serve ${name} in time`, { remedy: `kubectl describe crd ${name}` });
  }
}

/** Removes the CRDs; refuses when objects would be lost, unless forced. */
export async function uninstallProject(
  project: OperatorProject,
  options: ChangeOptions & { readonly force: boolean },
): Promise<CommandResult> {
  const { client, context, dryRun } = options;
  using deadline = openDeadline(context.clock, options.timeout, context.signal);
  const { signal } = deadline;
  const lost = await objectsAtRisk(client, project.resources, signal);
  if (!options.force) refuseLoss(lost);
  if (!dryRun) await removeAtRisk(client, lost, { signal, expired: () => deadline.expired });
  const crds = crdsOf(project.resources).map(([crd]) => crd);
  const onRemoved = reporter(context, dryRun);
  const objects = await removeObjects(crds, { client, dryRun, wait: true, signal, onRemoved });
  return { text: objects.length === 0 ? "nothing is installed" : "", data: { dryRun, objects } };
}

/** Prints each object as it is done, unless the result will be JSON. */
export function reporter(
  context: CommandContext,
  dryRun: boolean,
): (done: { readonly object: string; readonly result: string }) => void {
  return ({ object, result }) => {
    if (context.format === "text") context.print(`${object} ${result}${dryRun ? " (dry run)" : ""}`);
  };
}
