/**
 * The control group that holds the pods of a real node. kubelet wants it to be there; it stays when the last process is gone,
 * so whoever made it removes it. Both hierarchies are known: one folder per controller (v1), or one for all (v2).
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const ROOT = "/sys/fs/cgroup";

/** Why there can be no control group of one's own; undefined when there can. */
export function controlGroupProblem(): string | undefined {
  const found = hierarchies();
  if (found.length === 0) return `no control groups are mounted at ${ROOT}`;
  try {
    for (const hierarchy of found) rmdirSync(mkdtempSync(join(hierarchy, "kubewright-probe-")));
  } catch (error) {
    return `control groups cannot be made: ${error instanceof Error ? error.message : error}`;
  }
  return found.some(isStuck) ? `${ROOT} holds processes, so that it hands no controllers down` : undefined;
}

/** In v2 a group with processes hands down no further controllers, unless it is the machine's root, which has no type. */
function isStuck(hierarchy: string): boolean {
  const isRoot = !existsSync(join(hierarchy, "cgroup.type"));
  if (isRoot || missingControllers(hierarchy).length === 0) return false;
  return readFileSync(join(hierarchy, "cgroup.procs"), "utf8") !== "";
}

/** Makes the group in all hierarchies. */
export function createControlGroup(name: string): void {
  for (const hierarchy of hierarchies()) {
    delegateControllers(hierarchy);
    const folder = join(hierarchy, name);
    mkdirSync(folder, { recursive: true });
    // In v1 a new group may use no processor at all until it is told which; in v2 these files do not exist or are not empty.
    for (const file of ["cpuset.cpus", "cpuset.mems"]) copyWhenEmpty(join(folder, file));
  }
}

/** Removes the group and all groups below it. Their processes have ended. */
export function removeControlGroup(name: string): void {
  // Beside the controllers of v1 there may be an empty hierarchy of v2, in which groups appear too.
  for (const folder of globSync([join(ROOT, name), join(ROOT, "*", name)])) removeBelow(folder);
}

function hierarchies(): readonly string[] {
  if (existsSync(join(ROOT, "cgroup.controllers"))) return [ROOT];
  return globSync(`${ROOT}/*/tasks`).map(dirname);
}

/** In v2 a group has the controllers that the one above hands down; kubelet wants all of them. */
function delegateControllers(hierarchy: string): void {
  const missing = missingControllers(hierarchy);
  if (missing.length === 0) return;
  writeFileSync(join(hierarchy, "cgroup.subtree_control"), missing.map((name) => `+${name}`).join(" "));
}

/** The controllers that are there and not handed down; none in v1. */
function missingControllers(hierarchy: string): readonly string[] {
  const namesIn = (file: string): readonly string[] => {
    const path = join(hierarchy, file);
    return existsSync(path) ? readFileSync(path, "utf8").split(/\s+/).filter(Boolean) : [];
  };
  const handedDown = new Set(namesIn("cgroup.subtree_control"));
  return namesIn("cgroup.controllers").filter((name) => !handedDown.has(name));
}

function copyWhenEmpty(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").trim() !== "") return;
  const above = join(dirname(dirname(file)), file.slice(dirname(file).length + 1));
  if (existsSync(above)) writeFileSync(file, readFileSync(above, "utf8"));
}

function removeBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeBelow(join(folder, entry.name));
  }
  rmdirSync(folder);
}
