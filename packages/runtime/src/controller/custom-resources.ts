/** The kinds that controllers bring with them: what has to be installed before they run. */
import type { CustomResource } from "@kubewright/core/schema";
import type { AnyController } from "./define-controller.ts";

/** The custom resources that controllers are for or own, each once. */
export function customResourcesOf(controllers: readonly AnyController[]): CustomResource[] {
  const used = controllers.flatMap((controller) => [controller.for, ...(controller.owns ?? [])]);
  return [...new Set(used.filter((definition): definition is CustomResource => "schema" in definition))];
}
