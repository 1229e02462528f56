/**
 * The logging port. A line is a sentence plus fields; where it goes, and as what, is the implementation's business.
 * Implemented by `@kubewright/node` (JSON lines or pretty); pino and its like fit behind it.
 */

/** Named values that belong to a log line. Values must be printable as JSON; never pass secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes log lines. */
export interface Logger {
  /** Details for whoever debugs this very thing. */
  debug(message: string, fields?: LogFields): void;
  /** What an operator's user wants to know in normal running. */
  info(message: string, fields?: LogFields): void;
  /** Something is off but handled. */
  warn(message: string, fields?: LogFields): void;
  /** Something failed and somebody should look. */
  error(message: string, fields?: LogFields): void;
  /** The same logger with `fields` on every line. */
  with(fields: LogFields): Logger;
}

/** A logger that drops everything. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLogger,
};
