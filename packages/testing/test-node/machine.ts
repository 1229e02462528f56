/** What a node could leave on the machine: what the kernel shows of it, by the name of its folder. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** What is on the machine because of one node. */
export interface Traces {
  readonly processes: readonly string[];
  readonly mounts: readonly string[];
  readonly controlGroups: readonly string[];
  readonly folders: readonly string[];
}

/** What nobody left. */
export const NO_TRACES: Traces = { processes: [], mounts: [], controlGroups: [], folders: [] };

/** The traces of the node whose folder is `folder`. */
export function tracesOf(folder: string): Traces {
  return {
    processes: globSync("/proc/[0-9]*/cmdline")
      .map(commandLine)
      .filter((line) => line.includes(folder)),
    mounts: readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .filter((line) => line.includes(folder)),
    controlGroups: globSync(`/sys/fs/cgroup/{,*/}${basename(folder)}`),
    folders: existsSync(folder) ? [folder] : [],
  };
}

/** The network interfaces of the machine. */
export function interfaces(): readonly string[] {
  return readdirSync("/sys/class/net").sort();
}

/** A process may end while the list is read. */
function commandLine(path: string): string {
  try {
    return readFileSync(path, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
