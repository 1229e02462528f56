/** A command line from arguments to exit code: parse → run → print the result, or the error with its remedy. */
import { CommanderError } from "commander";
import type { CommandContext, CommandResult, OutputFormat } from "./command-context.ts";
import { EXIT_CODES, helpHint, isCommandError, usageError } from "./command-error.ts";
import type { CommandSpec } from "./command-spec.ts";
import { createProgram } from "./program.ts";

/** Runs a command line; answers with the exit code. */
export async function runCommandLine(
  args: readonly string[],
  specs: readonly CommandSpec[],
  context: CommandContext,
): Promise<number> {
  let exitCode: number = EXIT_CODES.ok;
  const done = (result: CommandResult, format: OutputFormat): void => {
    printResult(result, format, context);
    if (result.differs === true) exitCode = EXIT_CODES.differs;
  };
  try {
    await createProgram(specs, { context, done }).parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return explain(error, args, context);
    if (error.exitCode === 0) return EXIT_CODES.ok; // Help and version end parsing, too.
    if (error.code === "commander.help") return EXIT_CODES.usage; // A group without its command: the help was printed.
    const wrong = usageError(error.message.replace(/^error: /, ""), helpHint(commandIn(args, specs)));
    return explain(wrong, args, context);
  }
}

function printResult({ data, text }: CommandResult, format: OutputFormat, context: CommandContext): void {
  if (format === "json") {
    if (data !== undefined) context.print(JSON.stringify(data, undefined, 2));
  } else if (text !== undefined && text !== "") context.print(text);
}

function explain(error: unknown, args: readonly string[], context: CommandContext): number {
  if (context.signal.aborted) {
    context.note("interrupted");
    return EXIT_CODES.interrupted;
  }
  const message = error instanceof Error ? error.message : String(error);
  const known = isCommandError(error) ? error : undefined;
  const reason = known?.reason ?? "failed";
  if (wantsJson(args)) {
    context.print(JSON.stringify({ error: { message, reason, remedy: known?.remedy } }, undefined, 2));
  } else {
    context.note(`error: ${message}`);
    if (known?.remedy !== undefined) context.note(`  ${known.remedy}`);
    if (known === undefined && context.env["KUBEWRIGHT_DEBUG"] === "1" && error instanceof Error) {
      context.note(error.stack ?? "");
    }
  }
  return EXIT_CODES[reason];
}

/** The command, or the group of commands, that the first words name. */
function commandIn(args: readonly string[], specs: readonly CommandSpec[]): string {
  const names = specs.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const beginnings = args.map((_, index) => args.slice(0, index + 1).join(" "));
  return beginnings.findLast((words) => names.some((name) => `${name} `.startsWith(`${words} `))) ?? "";
}

function wantsJson(args: readonly string[]): boolean {
  return args.some(
    (argument, index) =>
      argument === "--output=json" ||
      argument === "-ojson" ||
      ((argument === "-o" || argument === "--output") && args[index + 1] === "json"),
  );
}
