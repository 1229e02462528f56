/** What running expressions have in common: the frame of one run, and the steps that expressions are compiled to. */
import type { Meter } from "./meter.ts";
import type { FunctionTable } from "./overloads.ts";
import type { Value } from "./values.ts";

/** Where names get their values while an expression runs. */
export interface Frame {
  readonly meter: Meter;
  /** The value of a variable; undefined when it has none this time. */
  readonly variables: (name: string) => Value | undefined;
  /** Values of the variables of macros. */
  readonly slots: Value[];
}

/** Something that can be run. */
export type Step = (frame: Frame) => Value;

/** What the compilation of steps knows. */
export interface Scope {
  readonly functions: FunctionTable;
  /** Slot numbers of the macros' variables in scope. */
  readonly slots: ReadonlyMap<string, number>;
  readonly slotCount: number;
}
