/** Reads the files that the rules look at from disk; its map becomes a Repository. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS_LEFT_OUT = new Set(["node_modules", "dist", "testdata", "coverage", ".git", ".cache", ".kubewright"]);
const FILES_READ = /(?:\.ts|\.md|(?:^|\/)(?:package\.json|exports\.txt))$/;

/** The texts of all TypeScript and Markdown files, manifests and export lists below `root`, by path with "/". */
export function readTree(root: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !FOLDERS_LEFT_OUT.has(entry.name)) visit(path);
      else if (entry.isFile() && FILES_READ.test(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  visit("");
  return texts;
}
