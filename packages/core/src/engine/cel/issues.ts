/**
 * What is wrong with an expression before it ever runs, printed as cel-go prints it: `ERROR: <input>:1:6: …` with the
 * source line and a caret. The lexer, the parser and the checker report here.
 */

/** One problem at an offset of the source. */
export interface CelIssue {
  readonly position: number;
  readonly message: string;
}

/** Thrown by the lexer and the parser, which cannot go on. */
export class CelSyntaxError extends Error {
  readonly issues: readonly CelIssue[];

  constructor(issues: readonly CelIssue[]) {
    super(issues.map((issue) => issue.message).join("; "));
    this.issues = issues;
  }
}

/** All problems as one text, in the order of the source. */
export function formatIssues(source: string, issues: readonly CelIssue[]): string {
  return issues
    .toSorted((left, right) => left.position - right.position)
    .map((issue) => formatIssue(source, issue))
    .join("\n");
}

function formatIssue(source: string, { position, message }: CelIssue): string {
  const before = source.slice(0, position);
  const line = before.split("\n").length;
  const column = position - (before.lastIndexOf("\n") + 1);
  const snippet = source.split("\n")[line - 1] ?? "";
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${snippet}\n | ${".".repeat(column)}^`;
}
