/**
 * The error of everything that reads text here: selectors, quantities, durations, times, JSON, paths. An API server
 * answers it with 400; a program that wrote the text itself has a bug.
 */

/** Text that does not say what it should. */
export interface MalformedError extends Error {
  readonly code: "Malformed";
}

/** Makes a `MalformedError`; the message names the text and what was expected. */
export function malformed(message: string, options?: ErrorOptions): MalformedError {
  return Object.assign(new Error(message, options), { name: "MalformedError", code: "Malformed" as const });
}

/** True for text that could not be read. */
export function isMalformed(error: unknown): error is MalformedError {
  return error instanceof Error && "code" in error && error.code === "Malformed";
}
