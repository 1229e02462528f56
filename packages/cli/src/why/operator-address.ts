/** The address of the operator that runs in a project's folder; when none does, how to reach the one in a cluster. */
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { DEBUG_PORT, installationNames } from "../manifests/installation-names.ts";
import { loadConfig } from "../project/load-config.ts";
import { runningOperator } from "./operator-state.ts";

/** "127.0.0.1:40123" */
export async function operatorAddress(context: CommandContext): Promise<string> {
  const state = await runningOperator(context.folder);
  if (state !== undefined) return state.address;
  const { manager, namespace } = installationNames(await loadConfig(context.folder));
  const forward = `kubectl -n ${namespace} port-forward deploy/${manager} ${DEBUG_PORT}`;
  throw new CommandError("no operator of this project runs on this machine", {
    remedy: `start it (kubewright dev), or reach the one in a cluster: ${forward}, then --address 127.0.0.1:${DEBUG_PORT}`,
  });
}
