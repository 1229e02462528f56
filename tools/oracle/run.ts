/**
 * `npm run test:oracle [-- --cases N --seed S --only json|merge|smp|ssa|scale --case N --record FILE]`: answers random cases with our
 * patch algorithms and with Kubernetes' own Go libraries, and prints every disagreement. Needs Go; everything else is here.
 * `--case N` prints one case with both answers. `--record` writes cases with Go's answers to a file instead, which golden.test.ts replays without Go.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { answerCase } from "./answer.ts";
import { judge } from "./compare.ts";
import { firstDifference } from "./difference.ts";
import { generateCase, kindsByName } from "./generate.ts";
import { buildGoSide } from "./go-side.ts";
import type { Outcome } from "./oracle-case.ts";

const batchSize = 1000;
const shownMax = 20;
/** Larger cases are left out of records, to keep the repository small. */
const recordedLengthMax = 8000;

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "12000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "all" },
    case: { type: "string" },
    record: { type: "string" },
  },
});
const kinds = kindsByName[values.only];
if (kinds === undefined)
  throw new Error(`unknown --only ${values.only}; use one of ${Object.keys(kindsByName).join(", ")}`);
const count = Number(values.cases);
const seed = Number(values.seed);

const askGo = buildGoSide();
if (values.case !== undefined) {
  const oracleCase = generateCase(seed, Number(values.case), kinds);
  const go = askGo([oracleCase])[0];
  console.log(JSON.stringify({ case: oracleCase, go, ours: answerCase(oracleCase) }, undefined, 1));
  process.exit(0);
}
const recorded: string[] = [];
let passed = 0;
let failed = 0;
let undefinedInGo = 0;
for (let start = 0; start < count; start += batchSize) {
  const size = Math.min(batchSize, count - start);
  const cases = Array.from({ length: size }, (_, offset) => generateCase(seed, start + offset, kinds));
  for (const [offset, outcomes] of askGo(cases).entries()) {
    const oracleCase = cases[offset] as (typeof cases)[number];
    const verdict = judge(oracleCase, outcomes);
    if (verdict.kind === "undefined") undefinedInGo++;
    else if (verdict.kind === "agrees") passed++;
    else failed++;
    const line = JSON.stringify({ case: oracleCase, outcomes });
    if (verdict.kind === "agrees" && line.length <= recordedLengthMax) recorded.push(line);
    if (verdict.kind === "differs" && failed <= shownMax) {
      console.log(
        `case ${start + offset} of seed ${seed} (${oracleCase.kind}) differs; --case ${start + offset} shows all`,
      );
      console.log(`  ${firstDifference(verdict.ours, outcomes[0] as Outcome)}`);
    }
  }
  console.log(`${start + size} of ${count} cases, ${failed} disagreements`);
}
if (values.record !== undefined) writeFileSync(values.record, `${recorded.join("\n")}\n`);
console.log(`${undefinedInGo} cases without an answer: the Go libraries panic on them`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
