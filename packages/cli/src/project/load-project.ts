/** A project with its configuration: what most commands begin with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError, isCommandError } from "../command/command-error.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";
import { loadFailure } from "./load-failure.ts";
import { loadOperator, type OperatorProject } from "./load-operator.ts";

/** A project with its configuration. */
export interface LoadedProject {
  readonly config: LoadedConfig;
  readonly project: OperatorProject;
}

/** Loads the project in `folder`. */
export async function loadProject(folder: string): Promise<LoadedProject> {
  const config = await loadConfig(folder);
  if (!existsSync(join(folder, "src/main.ts"))) {
    throw new CommandError("the project has no src/main.ts", {
      remedy: "make one that exports the operator: export const operator = { controllers: [ … ] };",
    });
  }
  try {
    return { config, project: await loadOperator(folder) };
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw loadFailure("src/main.ts", folder, error);
  }
}
