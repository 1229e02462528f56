/** `kubewright init`: a new project in this folder, or in one of a new name. */
import { basename, resolve } from "node:path";
import { usageError } from "../command/command-error.ts";
import { type CommandSpec, DRY_RUN, switchFlag, textFlag } from "../command/command-spec.ts";

/** The command. */
export const init: CommandSpec = {
  name: "init",
  summary: "make a new project",
  description: "Makes a new operator project. Files that are there already are never replaced.",
  arguments: [{ name: "[folder]", description: "where; this folder when left out" }],
  flags: [
    { flags: "--domain <domain>", description: "the end of your kinds' groups", default: "example.com" },
    { flags: "--project-name <name>", description: "the name of the operator; the folder's when left out" },
    { flags: "--owner <owner>", description: "who it belongs to, for package.json" },
    { flags: "--license <license>", description: "its license", choices: ["apache2", "none"], default: "apache2" },
    DRY_RUN,
  ],
  examples: [
    "kubewright init --domain example.com",
    'kubewright init memcached-operator --domain example.com --owner "Example Authors"',
  ],
  async run(input, context) {
    const { domainProblem, projectNameProblem } = await import("../project/names.ts");
    const { projectFiles } = await import("../scaffold/project-files.ts");
    const { runScaffold } = await import("../scaffold/run-scaffold.ts");
    const [folderName = "."] = input.args;
    const folder = resolve(context.folder, folderName);
    const name = textFlag(input, "projectName") ?? basename(folder);
    const domain = textFlag(input, "domain") ?? "";
    const problem = projectNameProblem(name) ?? domainProblem(domain);
    if (problem !== undefined) throw usageError(problem, "choose another with --project-name or --domain");
    const license = textFlag(input, "license") === "none" ? "none" : "apache2";
    const changes = projectFiles({ name, domain, license, owner: textFlag(input, "owner") });
    const enter = folderName === "." ? [] : [`cd ${folderName}`];
    return runScaffold(changes, {
      context: { ...context, folder },
      dryRun: switchFlag(input, "dryRun"),
      next: [
        ...enter,
        "npm install",
        "npx kubewright create api --group cache --version v1alpha1 --kind Memcached",
        "npm test",
      ],
    });
  },
};
