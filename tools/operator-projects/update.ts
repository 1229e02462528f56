/** `node tools/operator-projects/update.ts`: makes what the command makes in each project of operators/ anew; look at the diff. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "../../packages/cli/test/command-line.ts";
import { madeFiles, OPERATORS, PROJECTS } from "../../packages/cli/test/operator-projects.ts";

for (const name of PROJECTS) {
  const folder = join(OPERATORS, name);
  for (const change of madeFiles(name)) {
    if (change.action !== "create") continue;
    await mkdir(dirname(join(folder, change.path)), { recursive: true });
    await writeFile(join(folder, change.path), change.text);
  }
  const { exitCode, stderr } = await run({ folder }, "manifests");
  if (exitCode !== 0) throw new Error(`kubewright manifests in ${name}: ${stderr}`);
}
