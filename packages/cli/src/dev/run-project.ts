/** Runs a project's operator in this process against a cluster: prepares the cluster as asked, then `runOperator`. */
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { isForbidden } from "@kubewright/core/protocol";
import { systemProcess } from "@kubewright/node";
import { runOperator } from "@kubewright/runtime";
import { type ClusterConnection, withCluster } from "../cluster/connect.ts";
import { installProject, reporter } from "../cluster/install-project.ts";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { type CommandInput, switchFlag, textFlag } from "../command/command-spec.ts";
import { crdsOf } from "../manifests/manifest-tree.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { type OperatorState, removeOperatorState, writeOperatorState } from "../why/operator-state.ts";
import { applySamples } from "./apply-samples.ts";

/** How the operator runs. */
export interface RunOptions {
  readonly input: CommandInput;
  readonly context: CommandContext;
  /** Whether the CRDs are installed first. */
  readonly install: boolean;
  /** Whether the samples are applied first. */
  readonly samples: boolean;
}

/** Runs until the context's signal. */
export async function runProject(loaded: LoadedProject, options: RunOptions): Promise<void> {
  const { context, input } = options;
  await withCluster(input, context, (cluster) => prepare(loaded, cluster, options));
  await using told = tellWhereItRuns(context);
  await runOperator({
    name: loaded.config.name,
    ...loaded.project.operator,
    onDebugPort: told.onDebugPort,
    host: { ...systemProcess, env: context.env, args: operatorArgs(options), onStopSignal: stopWith(context.signal) },
  });
}

/** `kubewright why` finds the operator by a file that is there as long as it runs. */
function tellWhereItRuns({ folder, files }: CommandContext): AsyncDisposable & {
  onDebugPort(port: number): Promise<void>;
} {
  let state: OperatorState | undefined;
  return {
    async onDebugPort(port) {
      state = { pid: process.pid, address: `127.0.0.1:${port}` };
      await writeOperatorState(folder, state, files);
    },
    async [Symbol.asyncDispose]() {
      if (state !== undefined) await removeOperatorState(folder, state);
    },
  };
}

async function prepare(
  { project }: LoadedProject,
  { client, server }: ClusterConnection,
  { context, install, samples }: RunOptions,
): Promise<void> {
  const { signal } = context;
  if (install) await installProject(project, { client, context, dryRun: false, timeout: "1m" });
  else await refuseMissing(project.resources, client);
  const onApplied = reporter(context, false);
  if (samples) await applySamples(project, { client, dryRun: false, signal, onApplied });
  context.note(`running against ${server}; Ctrl-C ends it`);
}

/** Without its CRDs the operator would wait for ever. */
async function refuseMissing(
  resources: LoadedProject["project"]["resources"],
  client: ClusterConnection["client"],
): Promise<void> {
  for (const [, { plural, group, kind }] of crdsOf(resources)) {
    const found = await client.find(CustomResourceDefinition, `${plural}.${group}`).catch((error) => {
      if (isForbidden(error)) return true; // Who may not look may still run the operator.
      throw error;
    });
    if (found !== undefined) continue;
    throw new CommandError(`the cluster has no ${kind} (${plural}.${group})`, {
      remedy: "install the CRDs: kubewright install, or kubewright run --install",
    });
  }
}

/** On a desk nobody scrapes metrics or probes; what the user says comes last and wins. */
function operatorArgs({ input, context }: RunOptions): readonly string[] {
  const kubeconfig = textFlag(input, "kubeconfig");
  const name = textFlag(input, "context");
  return [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
    ...(name === undefined ? [] : [`--context=${name}`]),
    ...(switchFlag(input, "allowExecCredentials") ? ["--allow-exec-credentials"] : []),
    "--metrics-bind-address=0",
    "--health-probe-bind-address=0",
    "--debug-bind-address=127.0.0.1:0",
    ...(context.format === "json" ? [] : ["--log-format=pretty"]),
    ...input.args,
  ];
}

function stopWith(signal: AbortSignal): (listener: () => void) => () => void {
  return (listener) => {
    // Whoever waits for a signal is not done, even when no connection is open at the moment.
    const release = systemProcess.onStopSignal(() => {});
    if (signal.aborted) listener();
    signal.addEventListener("abort", listener, { once: true });
    return () => {
      release();
      signal.removeEventListener("abort", listener);
    };
  };
}
