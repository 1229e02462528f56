/**
 * Kills a program after each single write of its life, one run per write, and starts it again: a program that keeps
 * nothing but what the API server knows ends each time where it ends without a kill.
 */
import assert from "node:assert/strict";
import type { Json } from "@kubewright/core/meta";
import { type ProgramLife, type ProgramLifeOptions, startProgramLife } from "./program-life.ts";

/** What the program lives through. */
export interface KillOptions extends Omit<ProgramLifeOptions, "writesMax"> {
  /** What happens, one after the other; all comes to rest after each. */
  readonly steps: readonly ((life: ProgramLife) => Promise<void>)[];
  /** What counts of the world after each step; `comparableState` for instance. */
  state(life: ProgramLife): Promise<Json>;
}

/**
 * Runs the steps once without a kill and once for each write, killed after it; throws where the states differ. Answers
 * with the writes of the run without a kill.
 * @example await killAfterEveryWrite({ ...managerOf([controller]), steps: [create, remove], state });
 */
export async function killAfterEveryWrite(options: KillOptions): Promise<readonly string[]> {
  const { states: expected, writes } = await liveThrough(options);
  for (const [index, write] of writes.entries()) {
    const { states } = await liveThrough({ ...options, writesMax: index + 1 });
    const killedAfter = `write ${index + 1}: ${write}`;
    assert.deepEqual({ killedAfter, states }, { killedAfter, states: expected });
  }
  return writes;
}

async function liveThrough(
  options: KillOptions & Pick<ProgramLifeOptions, "writesMax">,
): Promise<{ readonly states: readonly Json[]; readonly writes: readonly string[] }> {
  await using life = await startProgramLife(options);
  const states: Json[] = [];
  for (const step of options.steps) {
    await step(life);
    await life.settled();
    states.push(await options.state(life));
  }
  return { states, writes: [...life.transport.writes] };
}
