/** `npm run exports`: writes the export list of every package to its exports.txt. Review the difference: it is the API. */
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTree } from "../tidy/read-tree.ts";
import { repositoryOf } from "../tidy/repository.ts";
import { exportLists } from "./export-list.ts";

const ROOT = resolve(import.meta.dirname, "../..");

for (const { path, text } of exportLists(repositoryOf(readTree(ROOT)))) {
  if (text === "") rmSync(join(ROOT, path), { force: true });
  else writeFileSync(join(ROOT, path), text);
}
