/** `node tools/golden-project/update.ts`: makes packages/cli/testdata/memcached-operator anew; look at the diff. */
import { rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../../packages/cli/test/command-line.ts";
import { GOLDEN, makeGoldenProject } from "../../packages/cli/test/golden-project.ts";

await using folder = await projectFolder();
await makeGoldenProject(folder.path);
rmSync(GOLDEN, { recursive: true, force: true });
await cp(folder.path, GOLDEN, { recursive: true, filter: (path) => path !== join(folder.path, "node_modules") });
