/** Every file opens with a header that says what it is, and every export of a package has a doc comment. */
import { findingAt, type Rule, type SourceFile } from "../repository.ts";

const DECLARATION =
  /^export\s+(?:default\s+|declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum|namespace)\s+([\w$]+)/gm;
/** A doc comment that ends right above, with only directives for the linter in between. */
const DOC_ABOVE = /\*\/[ \t]*\n(?:\/\/[^\n]*\n)*$/;

/** The rule about headers and doc comments. */
export const docs: Rule = {
  name: "doc",
  *check(repository) {
    for (const file of repository.files.filter((each) => !each.isGenerated)) {
      yield* header(file);
      if (!file.isTest && /^packages\/[^/]+\/src\//.test(file.path)) yield* declarations(file);
    }
  },
};

function* header(file: SourceFile) {
  if (/^(?:#![^\n]*\n)?\/[/*]/.test(file.text) || file.isTest) return;
  if (file.code.replace(/export\s*\{\s*\};?/, "").trim() === "") return;
  yield findingAt(
    file,
    0,
    "has no header; open the file with a comment: what it is, who gives its input, who takes its output",
  );
}

function* declarations(file: SourceFile) {
  const documented = new Set<string>();
  for (const match of file.code.matchAll(DECLARATION)) {
    const name = match[1] ?? "";
    const above = file.text.slice(0, match.index);
    const isDocumented =
      DOC_ABOVE.test(above) && above.lastIndexOf("/**") > above.lastIndexOf("*/", above.lastIndexOf("*/") - 1);
    if (isDocumented) documented.add(name);
    else if (!documented.has(name))
      yield findingAt(file, match.index, `export ${name} has no doc comment; say in one line what it is for`);
  }
}
