/**
 * S13: text never becomes code. What clusters and users send is data: no `eval`, no `Function`, no `node:vm`, no text as a
 * timer's callback, and no import whose specifier is computed. Expressions (CEL, JSONPath, templates) have interpreters of their own,
 * with limits. Programs that load a project's own modules are named below.
 */
import { findingAt, type Rule, type SourceFile } from "../repository.ts";

/** What makes code of text, and what it is called. */
const WAYS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["eval", /(?<![.\w$#])eval\b(?!\s*\??:)/g],
  ["eval", /(?<![\w$#])globalThis\s*\??\.\s*(?:eval|Function)\b/g],
  ["Function", /(?<![.\w$#])Function\s*\(/g],
  ["the constructor of a function", /\.\s*constructor\s*\(/g],
  ["a text as callback", /(?<![.\w$#])(?:setTimeout|setInterval)\s*\(\s*["'`]/g],
  ["require", /(?<![.\w$#])(?:require|createRequire)\s*\((?!\s*["'])/g],
  ["a computed import", /(?<![.\w$#])import\s*\(\s*(?!["'\s])/g],
];
const MODULES = /^(?:node:)?(?:vm|repl)$/;

/** Load the operator that a user works on, by its path on this machine; tools, benchmarks and tests are not installed by anybody. */
const LOADERS = new Set(["packages/cli/src/project/load-config.ts", "packages/cli/src/project/load-operator.ts"]);

/** The rule about text that becomes code. */
export const evaluation: Rule = {
  name: "evaluation",
  *check(repository) {
    for (const file of repository.files) {
      if (!/^(?:packages|operators)\//.test(file.path) || file.isTest || LOADERS.has(file.path)) continue;
      for (const [name, pattern] of WAYS) yield* found(file, name, pattern);
      for (const { specifier, offset } of file.references) {
        if (MODULES.test(specifier)) yield findingAt(file, offset, `imports ${specifier}; ${INSTEAD}`);
      }
    }
  },
};

const INSTEAD = "text never becomes code here: interpret it, with limits, or write the code out";

function* found(file: SourceFile, name: string, pattern: RegExp) {
  for (const { index } of file.code.matchAll(pattern)) yield findingAt(file, index, `uses ${name}; ${INSTEAD}`);
}
