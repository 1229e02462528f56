/** The error for requests that got no answer: the server is away, the connection broke, or the name did not resolve. */

/** A request that got no (whole) answer. Whether the server acted on it is unknown. */
export class UnreachableError extends Error {
  /** Marks the value for `isUnreachable`, across copies of this package. */
  readonly code = "unreachable";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreachableError";
  }
}

/** Makes the error for a request that failed with `cause`. */
export function unreachableError(
  request: { readonly method: string; readonly path: string },
  cause: unknown,
): UnreachableError {
  const [path] = request.path.split("?");
  const what = `no whole answer from the API server to ${request.method} ${path}`;
  return new UnreachableError(`${what}: ${reasonOf(cause)}`, { cause });
}

/** A name with several addresses fails with an error that says nothing, and holds one for each address. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ");
  return cause instanceof Error ? cause.message : String(cause);
}

/** True when no answer came, so that the outcome of a write is unknown. */
export function isUnreachable(error: unknown): error is UnreachableError {
  return typeof error === "object" && error !== null && "code" in error && error.code === "unreachable";
}
