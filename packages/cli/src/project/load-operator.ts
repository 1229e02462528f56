/**
 * An operator project on disk: its controllers, as `src/main.ts` exports them, and its samples. Commands derive CRDs,
 * RBAC and manifests from what this returns; nothing of the operator runs by loading it.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@kubewright/core/meta";
import type { CustomResource } from "@kubewright/core/schema";
import { customResourcesOf, type OperatorOptions } from "@kubewright/runtime";
import { CommandError } from "../command/command-error.ts";
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
  const operator = operatorOf(await import(pathToFileURL(main).href), main);
  return {
    folder,
    operator,
    resources: customResourcesOf(operator.controllers),
    samples: await readObjects(join(folder, "config", "samples")),
  };
}

/** What `main` exports as `operator`; where it is elsewhere or no operator, the remedy says so. */
function operatorOf(exported: Readonly<Record<string, unknown>>, main: string): OperatorOptions {
  const { operator } = exported;
  if (isOperator(operator)) return operator;
  if (operator !== undefined) {
    throw new CommandError(`${main} exports an operator without a list of controllers`, {
      remedy: "give it one: export const operator = { controllers: [ … ] };",
    });
  }
  const other = Object.keys(exported).find((name) => isOperator(exported[name]));
  throw new CommandError(`${main} exports no operator`, {
    remedy:
      other === undefined
        ? "add: export const operator = { controllers: [ … ] };"
        : `its export "${other}" has the controllers; name it operator: export const operator = …`,
  });
}

function isOperator(value: unknown): value is OperatorOptions {
  return typeof value === "object" && value !== null && "controllers" in value && Array.isArray(value.controllers);
}
