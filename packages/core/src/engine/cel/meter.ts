/**
 * The cost of an evaluation, in the units of cel-go: a name, a selection and a call cost one, strings a tenth per
 * character, lists ten, maps thirty. A unit stands for at most about a microsecond of work, so a limit bounds the time too;
 * where cel-go charges one for something that takes longer here, `work` charges the difference.
 */
import { CostError } from "./cel-error.ts";

/** How many small steps (a comparison, an element copied) make one unit. */
const stepsPerUnit = 20;

/** What one evaluation spends, up to a limit. */
export class Meter {
  readonly #limit: number;
  #cost = 0;
  #steps = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was spent. */
  get cost(): number {
    return this.#cost;
  }

  /** Spends units; throws CostError beyond the limit. */
  spend(units: number): void {
    this.#cost += units;
    if (this.#cost > this.#limit) throw new CostError("operation cancelled: actual cost limit exceeded");
  }

  /** Spends for small steps. */
  work(steps: number): void {
    this.#steps += steps;
    if (this.#steps < stepsPerUnit) return;
    this.spend(Math.floor(this.#steps / stepsPerUnit));
    this.#steps %= stepsPerUnit;
  }
}
