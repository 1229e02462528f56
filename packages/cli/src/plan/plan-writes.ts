/**
 * Which writes this version of an operator would make on a live cluster now, changing nothing: `children` of every
 * object, compared with what is there by the runtime's own planner; what differs is tried as a dry run for the details.
 */
import type { JsonObject, KubernetesObject } from "@kubewright/core/meta";
import { silentLogger } from "@kubewright/core/ports";
import { systemRandom } from "@kubewright/node";
import { type AnyController, Cache, type ChildAction, type Client, previewChildren } from "@kubewright/runtime";
import { titleOf } from "../cluster/apply-objects.ts";
import type { CommandContext } from "../command/command-context.ts";
import { kindsOf } from "./check-kinds.ts";
import type { PlannedWrite } from "./planned-write.ts";
import { readableChange } from "./readable.ts";

/** All writes of these controllers, and the controllers whose writes cannot be told in advance. */
export interface WritePlan {
  readonly writes: readonly PlannedWrite[];
  /** Controllers that work step by step. */
  readonly unknown: readonly string[];
}

/** Plans the writes of all controllers. */
export async function planWrites(
  controllers: readonly AnyController[],
  client: Client,
  context: CommandContext,
): Promise<WritePlan> {
  const { clock, signal } = context;
  const cache = new Cache({ client, clock, random: systemRandom, log: silentLogger });
  const told = controllers.filter(({ children }) => children !== undefined);
  for (const controller of told) for (const definition of kindsOf(controller)) cache.informer(definition);
  cache.start();
  try {
    await cache.whenSynced(signal);
    const writes: PlannedWrite[] = [];
    for (const controller of told) writes.push(...(await writesOf(controller, { client, cache, context })));
    const unknown = controllers.filter(({ children }) => children === undefined).map(({ name }) => name);
    return { writes, unknown };
  } finally {
    await cache.stop();
  }
}

interface PlanPorts {
  readonly client: Client;
  readonly cache: Cache;
  readonly context: CommandContext;
}

async function writesOf(controller: AnyController, ports: PlanPorts): Promise<readonly PlannedWrite[]> {
  const { cache, context } = ports;
  const writes: PlannedWrite[] = [];
  for (const object of cache.reader().list(controller.for)) {
    if (object.metadata?.deletionTimestamp !== undefined) continue;
    const planPorts = { cache, clock: context.clock, random: systemRandom };
    for (const action of await previewChildren(controller, object, planPorts)) {
      const write = await toWrite(action, { ...ports, controller, owner: object });
      if (write !== undefined) writes.push(write);
    }
  }
  return writes;
}

interface ActionPorts extends PlanPorts {
  readonly controller: AnyController;
  readonly owner: KubernetesObject;
}

async function toWrite(action: ChildAction, ports: ActionPorts): Promise<PlannedWrite | undefined> {
  const { definition, object } =
    action.kind === "delete" ? { definition: action.definition, object: action.observed } : action.manifest;
  const lines = action.kind === "apply" ? await dryRunLines(action, ports) : [];
  if (action.kind === "apply" && lines.length === 0) return undefined; // The server says it is as wanted.
  const { name = "", namespace } = object.metadata ?? {};
  const { metadata } = ports.owner;
  const place = metadata?.namespace === undefined ? "" : `${metadata.namespace}/`;
  return {
    because: `${ports.controller.for.kind} ${place}${metadata?.name}`,
    action: action.kind,
    object: titleOf(definition, name),
    ...(namespace === undefined ? {} : { namespace }),
    lines,
  };
}

async function dryRunLines(
  { manifest, observed }: Extract<ChildAction, { readonly kind: "apply" }>,
  { client, controller, context }: ActionPorts,
): Promise<readonly string[]> {
  const input = manifest.object as JsonObject & { readonly metadata: { readonly name: string } };
  const options = { dryRun: true, force: true, fieldManager: controller.name, signal: context.signal };
  const after = await client.apply(manifest.definition, input, options);
  return readableChange(observed, after);
}
