/** Runs cases of a suite on every target, each in a namespace of its own. */
import { after, before, describe, test } from "node:test";
import type { Command } from "./command.ts";
import { type Target, targets } from "./targets.ts";

/** What a case works with. */
export interface CaseTools {
  /** kubectl in the case's namespace. */
  readonly kubectl: Command;
  readonly helm: Command;
  readonly namespace: string;
}

/** A sentence of behaviour, and what shows it. */
export type Cases = Readonly<Record<string, (tools: CaseTools) => Promise<void>>>;

const TIMEOUT_MS = 60_000;

/** Defines the tests of a suite. */
export function runCases(suite: string, cases: Cases): void {
  for (const { name: where, open } of targets) {
    describe(`${suite}: ${where}`, () => {
      let target: Target;
      before(async () => {
        target = await open();
      });
      after(() => target[Symbol.asyncDispose]());
      for (const [index, [name, run]] of Object.entries(cases).entries()) {
        test(name, { timeout: TIMEOUT_MS }, async () => {
          const namespace = `${suite}-${index}`;
          await target.kubectl().text(`create namespace ${namespace}`);
          const place = `--namespace=${namespace}`;
          await run({ namespace, kubectl: target.kubectl(place), helm: target.helm(place) });
        });
      }
    });
  }
}

/** The columns of a table that kubectl printed: one list of cells per line, header first. */
export function parseTable(text: string): readonly (readonly string[])[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
}
