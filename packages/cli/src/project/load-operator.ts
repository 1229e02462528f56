/**
 * An operator project on disk: its controllers, as `src/main.ts` exports them, and its samples. Commands derive CRDs,
 * RBAC and manifests from what this returns; nothing of the operator runs by loading it.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@kubewright/core/meta";
import type { CustomResource } from "@kubewright/core/schema";
import { customResourcesOf, type OperatorOptions } from "@kubewright/runtime";
import { readObjects } from "./yaml.ts";

/** An operator project. */
export interface OperatorProject {
  /** The folder. */
  readonly folder: string;
  /** What `src/main.ts` exports as `operator`. */
  readonly operator: OperatorOptions;
  /** The custom resources that its controllers are for or own, each once. */
  readonly resources: readonly CustomResource[];
  /** The objects of config/samples, in the order of the files' names. */
  readonly samples: readonly JsonObject[];
}

/** Loads the project in `folder`; says what is missing where it is none. */
export async function loadOperator(folder: string): Promise<OperatorProject> {
  const main = join(folder, "src", "main.ts");
  const module: { readonly operator?: OperatorOptions } = await import(pathToFileURL(main).href);
  if (module.operator?.controllers === undefined) {
    throw new Error(`${main} exports no operator; add: export const operator = { controllers: [ … ] };`);
  }
  return {
    folder,
    operator: module.operator,
    resources: customResourcesOf(module.operator.controllers),
    samples: await readObjects(join(folder, "config", "samples")),
  };
}
