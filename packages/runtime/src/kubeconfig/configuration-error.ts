/**
 * The error for what is set up wrong around an operator: a kubeconfig, a flag. Whoever started it can put it right, and needs no stack
 * for that. run-operator.ts tells it in one line; other programs get it as a rejection.
 */

/** Something that an operator was given and cannot use. */
export interface ConfigurationError extends Error {
  readonly code: "configuration";
}

/** Makes a `ConfigurationError`; the message is one line that says what is wrong and what to do. */
export function configurationError(message: string, options?: ErrorOptions): ConfigurationError {
  return Object.assign(new Error(message, options), { code: "configuration" as const });
}

/** True for errors that whoever started the operator can put right. */
export function isConfigurationError(error: unknown): error is ConfigurationError {
  return error instanceof Error && "code" in error && error.code === "configuration";
}
