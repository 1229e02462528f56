/**
 * A command as data: its names, flags and examples, and what it does. program.ts makes the parser and the help of it,
 * completion.ts the shells' completions. `run` imports what it needs when it runs, so that help stays fast.
 */
import type { CommandContext, CommandResult } from "./command-context.ts";
import { usageError } from "./command-error.ts";

/** One flag. */
export interface FlagSpec {
  /** "--domain <domain>", "-f, --force", "--wait". */
  readonly flags: string;
  readonly description: string;
  readonly default?: string | boolean | readonly string[];
  /** The command line is refused without it. @default false */
  readonly required?: boolean;
  /** May be given several times. @default false */
  readonly repeats?: boolean;
  /** The only values there are. @default any */
  readonly choices?: readonly string[];
}

/** One positional argument. */
export interface ArgumentSpec {
  /** "<name>", "[folder]", "[args...]". */
  readonly name: string;
  readonly description: string;
}

/** One command. */
export interface CommandSpec {
  /** "init", "create api". */
  readonly name: string;
  /** Other names for it. @default [] */
  readonly aliases?: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Sentences for its help. */
  readonly description: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Lines of shell, shown by help. */
  readonly examples: readonly string[];
  /** Does it. `flags` are by camel-cased names; `args` in their order. */
  run(input: CommandInput, context: CommandContext): Promise<CommandResult>;
}

/** What the command line said. */
export interface CommandInput {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** The flag that many commands have. */
export const DRY_RUN: FlagSpec = { flags: "--dry-run", description: "show what would change, and change nothing" };

/** The text given for a flag. */
export function textFlag({ flags }: CommandInput, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The number given for a flag, from 0 to `max`. */
export function countFlag(input: CommandInput, name: string, max: number): number {
  const text = textFlag(input, name) ?? "";
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
  throw usageError(`--${name} ${JSON.stringify(text)} must be a number up to ${max}`);
}

/** Whether a switch was given. */
export function switchFlag({ flags }: CommandInput, name: string): boolean {
  return flags[name] === true;
}

/** The values given for a flag that repeats. */
export function listFlag({ flags }: CommandInput, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : [];
}
