/**
 * Lanes: the clusters that suites on real Kubernetes use, as often as suites run at once, so that no two suites share one at the same
 * time. tools/test-real.ts opens them; lane.ts takes one for each suite's process. A lane is a file with variables of the
 * environment; it is taken by a link beside it that names the process.
 */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a suite finds in its environment. */
export type LaneVariables = Readonly<Record<string, string>>;

/** A lane that a process has, until it gives it back. */
export interface TakenLane {
  readonly variables: LaneVariables;
  giveBack(): void;
}

/** Opens lanes in a folder, one for each set of variables. */
export function openLanes(folder: string, lanes: readonly LaneVariables[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, variables] of lanes.entries()) {
    writeFileSync(join(folder, `${index}.json`), JSON.stringify(variables));
  }
}

/** Takes a lane that nobody has, or whose process is gone; undefined when there is none. */
export function takeLane(folder: string): TakenLane | undefined {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const mark = join(folder, `${file}.taken`);
    if (!isTaken(mark) && tryMark(mark)) {
      const variables = JSON.parse(readFileSync(join(folder, file), "utf8")) as LaneVariables;
      return { variables, giveBack: () => unlinkSync(mark) };
    }
  }
  return undefined;
}

function tryMark(mark: string): boolean {
  try {
    symlinkSync(String(process.pid), mark);
    return true;
  } catch {
    return false; // Somebody was faster.
  }
}

/** Whether a process that runs has it; a mark of one that was killed is removed. */
function isTaken(mark: string): boolean {
  try {
    process.kill(Number(readlinkSync(mark)), 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") unlinkSync(mark);
    return false;
  }
}
