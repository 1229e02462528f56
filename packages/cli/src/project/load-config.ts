/** Loads kubewright.config.ts of a project, and refuses names that could not be names in a cluster or on disk. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError } from "../command/command-error.ts";
import type { ProjectConfig } from "./config.ts";
import { loadFailure } from "./load-failure.ts";
import { domainProblem, imageProblem, labelProblem, projectNameProblem } from "./names.ts";

/** The file that makes a folder a project. */
export const CONFIG_FILE = "kubewright.config.ts";

/** A configuration with everything decided. */
export type LoadedConfig = Required<ProjectConfig>;

/** The configuration of the project in `folder`. */
export async function loadConfig(folder: string): Promise<LoadedConfig> {
  const path = join(folder, CONFIG_FILE);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new CommandError(`${folder} is no Kubewright project: it has no ${CONFIG_FILE}`, {
      remedy: "go to the project's folder, or make one: kubewright init --domain example.com",
    });
  }
  // The time of the last change makes a changed file another module.
  const url = `${pathToFileURL(path).href}?at=${found.mtimeMs}`;
  const module: { readonly default?: ProjectConfig } = await import(url).catch((error: unknown) => {
    throw loadFailure(CONFIG_FILE, folder, error);
  });
  return complete(module.default, path);
}

function complete(config: ProjectConfig | undefined, path: string): LoadedConfig {
  if (typeof config?.name !== "string" || typeof config.domain !== "string" || typeof config.image !== "string") {
    throw new CommandError(`${path} does not say name, domain and image`, {
      remedy: 'write: export default defineConfig({ name: "…", domain: "example.com", image: "…" });',
    });
  }
  const loaded: LoadedConfig = {
    namespace: `${config.name}-system`,
    scope: "cluster",
    replicas: 1,
    prometheus: false,
    ...config,
  };
  const problem =
    projectNameProblem(loaded.name) ??
    domainProblem(loaded.domain) ??
    imageProblem(loaded.image) ??
    labelProblem("the namespace", loaded.namespace);
  if (problem !== undefined) throw new CommandError(`${path}: ${problem}`);
  return loaded;
}
