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
  const why = cause instanceof Error ? cause.message : String(cause);
  const [path] = request.path.split("?");
  return new UnreachableError(`no whole answer from the API server to ${request.method} ${path}: ${why}`, { cause });
}

/** True when no answer came, so that the outcome of a write is unknown. */
export function isUnreachable(error: unknown): error is UnreachableError {
  return typeof error === "object" && error !== null && "code" in error && error.code === "unreachable";
}
