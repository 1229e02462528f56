/** The scenarios by name: what a run may be asked for. measure.ts runs them. */

/** The scenarios, in the order in which they run. */
export const SCENARIOS = ["cold", "converge", "idle", "reaction", "healing", "big", "huge", "many"] as const;

/** One of `SCENARIOS`. */
export type ScenarioName = (typeof SCENARIOS)[number];
