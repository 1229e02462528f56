/** The recorded cases of the patch oracle: what `run.ts --record` wrote. golden.test.ts judges them, tools/recordings asks Go again. */
import { readFileSync } from "node:fs";
import type { OracleCase, Outcome } from "./oracle-case.ts";

const FILE = new URL("../../packages/core/src/patch/testdata/golden.jsonl", import.meta.url);

/** A case with what Kubernetes' Go libraries made of it. */
export interface Golden {
  readonly case: OracleCase;
  readonly outcomes: readonly Outcome[];
}

/** All of them. */
export function readGoldens(): readonly Golden[] {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Golden);
}
