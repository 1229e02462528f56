/** What processes of this machine have used, from /proc. Linux only, as the programs that are compared are here. */
import { readFileSync } from "node:fs";

/** Clock ticks per second in /proc, the same on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;
const BYTES_PER_KIBIBYTE = 1024;

/** Seconds of processor time, of user and system, that the processes have used so far. */
export function cpuSeconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });
}

/** Bytes of memory that the processes hold. */
export function residentBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * BYTES_PER_KIBIBYTE;
  });
}

function sum(pids: readonly number[], figure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figure(pid), 0);
}
