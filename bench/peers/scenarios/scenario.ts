/** What every scenario gets and gives. measure.ts runs them in order; metrics.ts names what they give. */
import type { BenchPlane } from "../driver/control-plane.ts";
import type { Operator } from "../driver/operator.ts";

/** What a scenario works with. */
export interface ScenarioPorts {
  readonly plane: BenchPlane;
  /** Starts the operator under test; whoever starts it ends it. */
  readonly start: () => Operator;
}

/** What a scenario on a running operator works with. */
export interface RunningPorts {
  readonly plane: BenchPlane;
  readonly operator: Operator;
}

/** Longest wait for anything that an operator should do. */
export const TIMEOUT_MS = 600_000;
