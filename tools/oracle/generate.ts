/** All cases: kind and content follow from the seed and the number of a case alone, so any case can be made again. */
import { createDice, type Dice } from "./dice.ts";
import { applyCase } from "./generate-apply.ts";
import { createMergePatchCase, jsonPatchCase, mergePatchCase } from "./generate-json.ts";
import { scaleCase } from "./generate-scale.ts";
import { strategicCase } from "./generate-strategic.ts";
import type { OracleCase, OracleKind } from "./oracle-case.ts";

const makers: Readonly<Record<OracleKind, (dice: Dice) => OracleCase>> = {
  "json-patch": jsonPatchCase,
  "merge-patch": mergePatchCase,
  "create-merge-patch": createMergePatchCase,
  strategic: strategicCase,
  apply: applyCase,
  scale: scaleCase,
};

/** Short names for the command line. */
export const kindsByName: Readonly<Record<string, readonly OracleKind[]>> = {
  json: ["json-patch"],
  merge: ["merge-patch", "create-merge-patch"],
  smp: ["strategic"],
  ssa: ["apply"],
  scale: ["scale"],
  all: ["json-patch", "merge-patch", "create-merge-patch", "strategic", "apply", "strategic", "apply", "scale"],
};

/** Case number `index` of a seed. */
export function generateCase(seed: number, index: number, kinds: readonly OracleKind[]): OracleCase {
  const kind = kinds[index % kinds.length] as OracleKind;
  return makers[kind](createDice(seed * 1_000_003 + index));
}
