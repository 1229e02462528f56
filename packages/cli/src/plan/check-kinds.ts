/**
 * Asks the cluster once for each kind that a plan is made of. Caches try again without end, as an operator should; whoever asks for a plan wants to
 * know that the cluster does not answer, lacks a kind or forbids it. Made by plan-project.ts before anything is followed.
 */
import { formatGroupResource } from "@kubewright/core/meta";
import { isNotFound } from "@kubewright/core/protocol";
import type { AnyController, AnyDefinition, Client } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";

/** The kinds that a controller follows. */
export function kindsOf(controller: AnyController): readonly AnyDefinition[] {
  const watched = (controller.watches ?? []).map(({ definition }) => definition);
  return [controller.for, ...(controller.owns ?? []), ...watched, ...(controller.reads ?? [])];
}

/** Rejects when a kind of these controllers cannot be read. */
export async function checkKinds(
  controllers: readonly AnyController[],
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const kinds = new Map(controllers.flatMap(kindsOf).map((kind) => [formatGroupResource(kind), kind]));
  for (const [resource, definition] of kinds) {
    await client.list(definition, { limit: 1, signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new CommandError(`the cluster has no ${definition.kind} (${resource}) in ${definition.version}`, {
        remedy: "install what defines it first; for the project's own kinds: kubewright install",
        cause: error,
      });
    });
  }
}
