/**
 * Changes of files as data: scaffolds plan them, this file checks all of them and then makes them. Nothing is written
 * when one of them is refused, and nothing is ever written outside of the project's folder.
 */
import { lstat, readFile, realpath, rm, rmdir } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import type { Files } from "@kubewright/core/ports";
import { CommandError } from "../command/command-error.ts";

/** One change of one file. */
export type FileChange =
  /** A file that is not there yet. */
  | { readonly action: "create"; readonly path: string; readonly text: string }
  /** A file with a new text. */
  | { readonly action: "update"; readonly path: string; readonly text: string }
  /** A file that goes away, with folders that become empty. */
  | { readonly action: "delete"; readonly path: string };

/** How changes are made. */
export interface ChangeOptions {
  readonly files: Files;
  /** Only checks. @default false */
  readonly dryRun?: boolean;
  /** Files in the way are replaced. @default false, and the command has no such flag */
  readonly force?: boolean | undefined;
}

/** Makes the changes in `folder`; paths are relative to it. */
export async function applyChanges(
  folder: string,
  changes: readonly FileChange[],
  options: ChangeOptions,
): Promise<void> {
  for (const { path } of changes) await refuseOutside(folder, path);
  if (options.force !== true) await refuseExisting(folder, changes, options);
  if (options.dryRun === true) return;
  for (const change of changes) {
    const path = join(folder, change.path);
    if (change.action === "delete") await removeFile(folder, path);
    else await options.files.write(path, change.text);
  }
}

/** A path of a project has no "..", and none of its folders is a link to elsewhere. */
async function refuseOutside(folder: string, path: string): Promise<void> {
  const plain = normalize(path);
  if (isAbsolute(plain) || plain === ".." || plain.startsWith(`..${sep}`) || plain.includes("\0")) {
    throw new CommandError(`${path} is outside of the project`);
  }
  const root = await realpath(folder).catch(() => folder);
  let parent = dirname(join(folder, plain));
  for (;;) {
    const real = await realpath(parent).catch(() => undefined);
    if (real === undefined && parent !== dirname(parent)) {
      parent = dirname(parent);
      continue;
    }
    const inside = real === undefined || real === root || real.startsWith(root + sep) || root.startsWith(real);
    if (inside) return;
    throw new CommandError(`${path} is outside of the project: ${parent} is a link to ${real}`, {
      remedy: "replace the link by a folder",
    });
  }
}

async function refuseExisting(folder: string, changes: readonly FileChange[], { force }: ChangeOptions): Promise<void> {
  const created = changes.filter(({ action }) => action === "create");
  const found = await Promise.all(created.map(({ path }) => lstat(join(folder, path)).catch(() => undefined)));
  const existing = created.filter((_, index) => found[index] !== undefined).map(({ path }) => path);
  if (existing.length === 0) return;
  throw new CommandError(`${existing.join(", ")} ${existing.length === 1 ? "is" : "are"} there already`, {
    remedy: `remove what is in the way, or ${force === undefined ? "choose another folder" : "replace it with --force"}`,
  });
}

async function removeFile(folder: string, path: string): Promise<void> {
  await rm(path, { force: true });
  for (let parent = dirname(path); relative(folder, parent) !== ""; parent = dirname(parent)) {
    const removed = await rmdir(parent).then(
      () => true,
      () => false, // Not empty: what is in it stays.
    );
    if (!removed) return;
  }
}

/** One line for each change; with `texts`, below it what the change does to the file. */
export async function describeChanges(
  folder: string,
  changes: readonly FileChange[],
  { texts }: { readonly texts: boolean },
): Promise<string> {
  const parts = await Promise.all(
    changes.map(async (change) => {
      const line = `${change.action.padEnd(7)} ${change.path}`;
      if (!texts || change.action === "create") return line;
      const before = await readFile(join(folder, change.path), "utf8").catch(() => "");
      return [line, ...changedLines(before, change.action === "delete" ? "" : change.text)].join("\n");
    }),
  );
  return parts.join("\n");
}

/** The lines between the common beginning and the common end, as a diff shows them. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) {
    end += 1;
  }
  return [
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `  + ${line}`),
  ];
}
