/**
 * The cost of an evaluation, in the units of cel-go: a name, a selection and a call cost one, strings a tenth per
 * character, lists ten, maps thirty. A unit stands for at most about a microsecond of work, so a limit bounds the time too;
 * where cel-go charges one for something that takes longer here, `work` charges the difference.
 */
import { CostError } from "./cel-error.ts";

/** How many small steps (a comparison, an element copied) make one unit. */
const stepsPerUnit = 20;

/** What one evaluation may still spend. */
export interface Meter {
  /** What was spent. */
  readonly cost: number;
  /** Spends units; throws CostError beyond the limit. */
  spend(units: number): void;
  /** Spends for small steps. */
  work(steps: number): void;
}

/** A meter with a limit. */
export function createMeter(limit: number): Meter {
  let cost = 0;
  let steps = 0;
  const spend = (units: number): void => {
    cost += units;
    if (cost > limit) throw new CostError("operation cancelled: actual cost limit exceeded");
  };
  return {
    get cost() {
      return cost;
    },
    spend,
    work(count) {
      steps += count;
      if (steps < stepsPerUnit) return;
      spend(Math.floor(steps / stepsPerUnit));
      steps %= stepsPerUnit;
    },
  };
}
