/** What a process and its descendants use, from /proc: an operator may be several processes (Python's and Java's launchers). */
import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts CPU time in these; 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;
const KILOBYTES_PER_MEGABYTE = 1024;

/** The process and all its descendants. */
export function processTree(pid: number): readonly number[] {
  const children = Map.groupBy(
    list("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number),
    (each) => Number(statOf(each)[1]),
  );
  const found = [pid];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

/** CPU seconds, user and system, of the tree and of what it started that ended. */
export function cpuSeconds(pid: number): number {
  const ticks = processTree(pid).flatMap((each) => statOf(each).slice(11, 15).map(Number));
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** CPU seconds of the threads that run now, exact where the kernel tells: for times in which next to nothing is used. */
export function exactCpuSeconds(pid: number): number {
  const threads = processTree(pid).flatMap((each) =>
    list(`/proc/${each}/task`).map((thread) => read(`/proc/${each}/task/${thread}/sched`)),
  );
  const milliseconds = threads.map((text) => Number(/sum_exec_runtime\s*:\s*(\S+)/.exec(text)?.[1] ?? Number.NaN));
  return milliseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Megabytes of memory of the tree: resident now, or the most that was. */
export function memoryMegabytes(pid: number, which: "VmRSS" | "VmHWM"): number {
  const kilobytes = processTree(pid).map((each) => {
    const [, value = "0"] = new RegExp(`^${which}:\\s+(\\d+)`, "m").exec(read(`/proc/${each}/status`)) ?? [];
    return Number(value);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / KILOBYTES_PER_MEGABYTE;
}

/** The fields of /proc/PID/stat after the name, which may hold anything; none when the process is gone. */
function statOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
