/** The tests of a rule, made from samples: files that break it, with what is found, and files that keep it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Rule, repositoryOf } from "./repository.ts";

/** A small repository: paths to texts. */
export type Files = Readonly<Record<string, string>>;

/** Samples of one rule. */
export interface Samples {
  readonly rule: Rule;
  /** A sentence, the files, and a pattern for each expected "path:line: message". */
  readonly broken: readonly (readonly [sentence: string, files: Files, ...found: RegExp[]])[];
  readonly kept: readonly (readonly [sentence: string, files: Files])[];
}

/** Empty manifests, which make these folders workspaces. */
export function manifests(...workspaces: string[]): Files {
  return Object.fromEntries(workspaces.map((workspace) => [`${workspace}/package.json`, "{}"]));
}

/** Declares one test for each sample. */
export function testRule({ rule, broken, kept }: Samples): void {
  describe(`rule "${rule.name}"`, () => {
    for (const [sentence, files, ...expected] of broken) {
      test(`finds: ${sentence}`, () => {
        const lines = findings(rule, files);
        assert.equal(lines.length, expected.length, lines.join("\n"));
        for (const [index, pattern] of expected.entries()) assert.match(lines[index] ?? "", pattern);
      });
    }
    for (const [sentence, files] of kept) {
      test(`accepts: ${sentence}`, () => assert.deepEqual(findings(rule, files), []));
    }
  });
}

function findings(rule: Rule, files: Files): readonly string[] {
  const repository = repositoryOf(new Map(Object.entries(files)));
  return Array.from(rule.check(repository), ({ path, line, message }) => `${path}:${line}: ${message}`);
}
