/** `npm run exports`: writes the export list of every package to its exports.txt. Review the difference: it is the API. */
import { rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { exportLists } from "./export-list.ts";

for (const { path, text } of exportLists()) {
  const file = resolve(import.meta.dirname, "../..", path);
  if (text === "") rmSync(file, { force: true });
  else writeFileSync(file, text);
}
