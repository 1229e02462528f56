/**
 * The loop of `kubewright dev`: a cluster, the operator in a process of its own (`kubewright run --install`), and a
 * watch over the sources. A change ends that process and starts the next; what goes wrong in it is printed, and the
 * next change tries again.
 */
import { join, relative } from "node:path";
import { startEmbedded } from "../cluster/embedded-cluster.ts";
import type { CommandContext } from "../command/command-context.ts";
import { tellEvent } from "./dev-event.ts";
import { startOperator } from "./operator-process.ts";
import { followStatus } from "./status-line.ts";
import { printTypeErrors } from "./type-errors.ts";
import { watchSources } from "./watch-sources.ts";

/** How it runs. */
export interface DevOptions {
  /** On an embedded cluster; otherwise on that of the kubeconfig. */
  readonly embedded: boolean;
  readonly ephemeral: boolean;
  /** Whether config/samples are applied. */
  readonly samples: boolean;
  readonly nodes: number;
  readonly kubeconfig?: string | undefined;
  readonly kubeContext?: string | undefined;
  readonly allowExecCredentials: boolean;
}

/** Runs until the context's signal. */
export async function runDev(options: DevOptions, context: CommandContext): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const kubeconfig = options.embedded ? await embeddedKubeconfig(options, context, stack) : options.kubeconfig;
  const changes = stack.use(watchSources(context.folder, context));
  if (context.status !== undefined && context.format === "text") {
    const status = followStatus(context.folder, context.status, context);
    stack.defer(() => status);
  }
  let samples = options.samples;
  for (let round = 1; !context.signal.aborted; round += 1) {
    const started = context.clock.monotonic();
    let types: { stop(): void } | undefined;
    // The compiler waits its turn: the operator is what the user waits for.
    const checkTypes = (): void => {
      types ??= printTypeErrors(context);
    };
    const onReady = (): void => {
      const afterMs = Math.round(context.clock.monotonic() - started);
      tellEvent({ event: "running", start: round, afterMs }, context);
      checkTypes();
    };
    const operator = startOperator(operatorArgs({ ...options, samples, kubeconfig }, context), context, {
      onReady,
      onFailed: checkTypes,
    });
    const changed = await changes.next();
    await operator.stop();
    types?.stop();
    if (changed === undefined) return;
    tellEvent({ event: "changed", files: changed.map((path) => relative(context.folder, path)) }, context);
    samples = options.samples && changed.some((path) => path.startsWith(join(context.folder, "config/samples")));
  }
}

async function embeddedKubeconfig(
  { ephemeral, nodes }: DevOptions,
  context: CommandContext,
  stack: AsyncDisposableStack,
): Promise<string> {
  const folder = join(context.folder, ".kubewright");
  const { url, kubeconfig } = stack.use(await startEmbedded({ folder, ephemeral, nodes, port: 0 }, context));
  tellEvent({ event: "cluster", url, kubeconfig }, context);
  if (context.format === "text") context.print(`export KUBECONFIG=${kubeconfig}`);
  return kubeconfig;
}

function operatorArgs(
  { samples, kubeconfig, kubeContext, allowExecCredentials }: DevOptions,
  { format }: CommandContext,
): readonly string[] {
  return [
    "run",
    "--install",
    `--output=${format}`,
    ...(samples ? ["--samples"] : []),
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    ...(kubeContext === undefined ? [] : ["--context", kubeContext]),
    ...(allowExecCredentials ? ["--allow-exec-credentials"] : []),
  ];
}
