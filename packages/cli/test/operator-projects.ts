/** The projects of operators/: which they are, and what the command makes for each of them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "../src/scaffold/file-change.ts";
import { projectFiles } from "../src/scaffold/project-files.ts";

/** Where they are. */
export const OPERATORS: string = join(import.meta.dirname, "..", "..", "..", "operators");

/** The folder of each project. */
export const PROJECTS: readonly string[] = readdirSync(OPERATORS);

const DOMAINS: Readonly<Record<string, string>> = {
  app: "k8s.io",
  application: "aiops.org",
  microservice: "custom.ops",
  "scheduled-scaler": "aiops.org",
};

/** What is the project's own from the beginning. */
const OWN = new Set(["README.md", "package.json", "src/main.ts"]);

/** The files of a project that are as `kubewright init` makes them. */
export function madeFiles(folder: string): readonly FileChange[] {
  const names = { name: `${folder}-operator`, domain: DOMAINS[folder] ?? "example.com", license: "apache2" } as const;
  return projectFiles(names).filter(({ path }) => !OWN.has(path));
}
