/** Nothing half done lands: no test that is skipped or runs alone, no note to self without an issue. */
import { findingAt, type Rule } from "../repository.ts";

const TEST_MODIFIER =
  /(?<![.\w$])(?:test|it|describe|suite|context)\s*\.\s*(only|skip|todo)\s*\(|[{,]\s*(only|skip|todo)\s*:\s*(?!false\b)/g;
/** Found in text: notes are comments. `TODO(#12)` names its issue. */
const NOTE = /\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/g;

/** The rule about leftovers. */
export const leftovers: Rule = {
  name: "leftover",
  *check(repository) {
    for (const file of repository.files.filter((each) => !each.isGenerated)) {
      for (const match of file.isTest ? file.code.matchAll(TEST_MODIFIER) : []) {
        const modifier = match[1] ?? match[2];
        yield findingAt(file, match.index, `has a test marked "${modifier}"; every test runs, or is deleted`);
      }
      for (const match of file.text.matchAll(NOTE)) {
        if (
          file.code.slice(match.index, match.index + match[0].length).trim() !== "" ||
          inString(file.code, match.index)
        )
          continue;
        yield findingAt(
          file,
          match.index,
          `has a ${match[1]} without an issue; do it now, or write ${match[1]}(#number)`,
        );
      }
    }
  },
};

/** Whether an offset of blanked code lies between quotes on its line: such text is data, not a note. */
function inString(code: string, offset: number): boolean {
  const line = code.slice(code.lastIndexOf("\n", offset) + 1, offset);
  return ['"', "'", "`", "/"].some((quote) => line.split(quote).length % 2 === 0);
}
