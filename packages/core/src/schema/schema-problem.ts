/**
 * What is wrong with a schema that a user wrote, found while it is turned into a structural schema. All problems of a
 * definition are told in one error, each with its path and what to write instead.
 */

/** One thing a schema says that Kubernetes cannot. */
export interface SchemaProblem {
  /** Path of the field: `spec.jobs[].when`. */
  readonly path: string;
  /** What is wrong and what to do: `a tuple has no structural form; use z.array or z.object`. */
  readonly message: string;
}

/** Throws when there are problems; `subject` names the definition. */
export function refuseProblems(subject: string, problems: readonly SchemaProblem[]): void {
  if (problems.length === 0) return;
  const lines = [...new Set(problems.map(({ path, message }) => `${path}: ${message}`))];
  throw new TypeError(`cannot define ${subject}: ${lines.join("\n  ")}`);
}

/** `spec` + `jobs` = `spec.jobs`; at the top just `jobs`. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
