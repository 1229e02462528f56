/**
 * The logging port on the console: JSON lines for machines, or one readable line per event for people. Fields pass
 * through redaction.ts first, so that secrets never reach a log. Lines go to standard error, as standard output belongs
 * to what a program prints.
 */
import { stringifyJson } from "@kubewright/core/meta";
import type { Clock, LogFields, Logger } from "@kubewright/core/ports";
import { redact } from "./redaction.ts";

/** How much is written: this level and those after it. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** How a console logger writes. */
export interface ConsoleLoggerOptions {
  readonly clock: Clock;
  /** @default "info" */
  readonly level?: LogLevel;
  /** @default "json" */
  readonly format?: "json" | "pretty";
  /** Where lines go, each with its newline. @default standard error */
  readonly write?: (line: string) => void;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** A logger that writes lines. */
export function createConsoleLogger(options: ConsoleLoggerOptions): Logger {
  const { clock, level = "info", format = "json", write = writeToStandardError } = options;
  const formatLine = format === "json" ? formatJsonLine : formatPrettyLine;
  const create = (bound: LogFields): Logger => {
    const log = (lineLevel: LogLevel) => (message: string, fields?: LogFields) => {
      if (LEVELS.indexOf(lineLevel) < LEVELS.indexOf(level)) return;
      const time = new Date(clock.now()).toISOString();
      const line = formatLine({ time, level: lineLevel, message }, redact({ ...bound, ...fields }));
      write(`${escapeLateControls(line)}\n`);
    };
    return {
      debug: log("debug"),
      info: log("info"),
      warn: log("warn"),
      error: log("error"),
      with: (fields) => create({ ...bound, ...fields }),
    };
  };
  return create({});
}

interface LineHead {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
}

function formatJsonLine(head: LineHead, fields: LogFields): string {
  const entries = Object.entries(fields).map(([name, value]) => [
    Object.hasOwn(head, name) ? `field_${name}` : name,
    value,
  ]);
  return stringifyJson(Object.fromEntries([...Object.entries(head), ...entries]));
}

function formatPrettyLine({ time, level, message }: LineHead, fields: LogFields): string {
  const words = Object.entries(fields).map(([name, value]) => `${escapeControls(name)}=${formatValue(value)}`);
  return [time.slice(11, 23), level.toUpperCase().padEnd(5), escapeControls(message), ...words].join(" ");
}

function formatValue(value: unknown): string {
  if (typeof value === "string" && /^[^\s"=\p{Cc}]+$/u.test(value)) return value;
  return stringifyJson(value);
}

/** A newline in a message would look like a line of its own, and escape codes would command the terminal. */
function escapeControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}

/** Controls that JSON leaves as they are: late ones command terminals, too, and others turn the direction of what follows. */
function escapeLateControls(line: string): string {
  const late = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  return line.replace(late, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function writeToStandardError(line: string): void {
  process.stderr.write(line);
}
