/**
 * Which writes controllers that work step by step would make: each is run once on every object, on a transport that turns
 * writes into dry runs. What they do outside of the cluster cannot be held back, so users ask for it. Steps that need what
 * an earlier step would have written stop there, which is told.
 */
import { formatGroupResource, type KubernetesObject, plainManager } from "@kubewright/core/meta";
import { silentLogger, sleep, type Transport } from "@kubewright/core/ports";
import { systemRandom } from "@kubewright/node";
import { type AnyController, type ClientSettings, createManager } from "@kubewright/runtime";
import type { CommandContext } from "../command/command-context.ts";
import { type DryWrite, dryRunTransport } from "./dry-run-transport.ts";
import type { PlannedWrite } from "./planned-write.ts";
import { readableChange } from "./readable.ts";

const POLL_MS = 20;

/** Where the controllers run. */
export interface StepPorts {
  readonly transport: Transport;
  readonly client: ClientSettings;
  readonly context: CommandContext;
}

/** The writes, and where reconciles could not go on: "Thing default/a: not found". */
export interface StepPlan {
  readonly writes: readonly PlannedWrite[];
  readonly stopped: readonly string[];
}

/** Runs the controllers until all objects had their turn. */
export async function planSteps(controllers: readonly AnyController[], ports: StepPorts): Promise<StepPlan> {
  const { clock, signal } = ports.context;
  const writes = new Map<string, PlannedWrite>();
  const onWrite = (write: DryWrite): void => {
    const planned = toPlanned(write);
    const { verb, path } = write.request;
    if (planned !== undefined && !writes.has(`${verb} ${path}`)) writes.set(`${verb} ${path}`, planned);
  };
  const transport = dryRunTransport(ports.transport, onWrite);
  const settings = { client: ports.client, clock, random: systemRandom, log: silentLogger, graceMs: 0 };
  await using manager = createManager({ transport, controllers, ...settings });
  await manager.start(signal);
  while (!manager.idle) await sleep(clock, POLL_MS, signal);
  const failed = manager.history.list().filter(({ reason, attempt }) => reason !== undefined && attempt === 1);
  return { writes: [...writes.values()], stopped: failed.map(({ kind, key, reason }) => `${kind} ${key}: ${reason}`) };
}

/** Events tell of work and are none; a write that changes nothing is none, either. */
function toPlanned({ request, before, after }: DryWrite): PlannedWrite | undefined {
  if (request.resource === "events" || request.verb === undefined) return undefined;
  const action = request.verb === "delete" ? "delete" : before === undefined ? "create" : "apply";
  const lines = action === "apply" ? readableChange(before ?? {}, after) : [];
  if (action === "apply" && lines.length === 0) return undefined;
  return {
    because: `controller ${plainManager(request.query.get("fieldManager") ?? "unknown")}`,
    action,
    object: titleOfRequest(request, after),
    ...(request.namespace === "" ? {} : { namespace: request.namespace }),
    lines,
  };
}

/** "deployments.apps/web", and with a subresource "deployments.apps/web scale". */
function titleOfRequest(
  { group, resource, name, subresource }: DryWrite["request"],
  { metadata }: KubernetesObject,
): string {
  const title = `${formatGroupResource({ group, plural: resource })}/${name || metadata?.name}`;
  return subresource === "" ? title : `${title} ${subresource}`;
}
