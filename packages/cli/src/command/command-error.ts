/** Failures that a command tells its user: what failed, what to do, and the exit code. Printed by run-command-line.ts. */

/** What the exit codes of every command mean. */
export const EXIT_CODES = {
  /** Done. */
  ok: 0,
  /** It failed; the message says why. */
  failed: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** It worked, and what it compared differs: stale manifests, a plan with changes, a problem found by doctor. */
  differs: 3,
  /** Ended by Ctrl-C, in order or not. */
  interrupted: 130,
} as const;

/** The name of an exit code. */
export type ExitReason = keyof typeof EXIT_CODES;

/** A failure with a remedy. */
export class CommandError extends Error {
  readonly code = "CommandError";
  readonly reason: ExitReason;
  /** What to do about it, as a sentence or a command. */
  readonly remedy: string | undefined;

  constructor(
    message: string,
    options: { readonly remedy?: string; readonly reason?: ExitReason; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.remedy = options.remedy;
    this.reason = options.reason ?? "failed";
  }
}

/** Whether a value is a CommandError, of whatever copy of this package. */
export function isCommandError(error: unknown): error is CommandError {
  return error instanceof Error && "code" in error && error.code === "CommandError";
}

/** A wrong command line. */
export function usageError(message: string, remedy?: string): CommandError {
  return new CommandError(message, { reason: "usage", ...(remedy === undefined ? {} : { remedy }) });
}

/** The remedy for a wrong command line of `command`; "" for that of the program. */
export function helpHint(command: string): string {
  return `kubewright ${command === "" ? "" : `${command} `}--help shows what there is`;
}
