/** The plan for all controllers of a project: declared children are compared, steps are tried as dry runs where asked for. */
import type { AnyController } from "@kubewright/runtime";
import type { ClusterConnection } from "../cluster/connect.ts";
import type { CommandContext } from "../command/command-context.ts";
import { checkKinds } from "./check-kinds.ts";
import { planSteps } from "./plan-steps.ts";
import { planWrites } from "./plan-writes.ts";
import type { PlannedWrite } from "./planned-write.ts";

/** Where and how to plan. */
export interface PlanOptions {
  readonly cluster: ClusterConnection;
  readonly context: CommandContext;
  /** Whether controllers that work step by step are run. */
  readonly steps: boolean;
}

/** What would be written. */
export interface ProjectPlan {
  readonly writes: readonly PlannedWrite[];
  /** Controllers that work step by step, and were not run. */
  readonly unknown: readonly string[];
  /** Reconciles that could not go on without a write of theirs. */
  readonly stopped: readonly string[];
}

/** Plans the writes of controllers. */
export async function planProject(
  controllers: readonly AnyController[],
  { cluster, context, steps }: PlanOptions,
): Promise<ProjectPlan> {
  await checkKinds(controllers, cluster.client, context.signal);
  const declared = await planWrites(controllers, cluster.client, context);
  if (!steps || declared.unknown.length === 0) return { ...declared, stopped: [] };
  const stepwise = controllers.filter(({ name }) => declared.unknown.includes(name));
  const ports = { transport: cluster.transport, client: cluster.settings, context };
  const { writes, stopped } = await planSteps(stepwise, ports);
  return { writes: [...declared.writes, ...writes], unknown: [], stopped };
}
