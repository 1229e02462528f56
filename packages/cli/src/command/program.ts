/** The parser and the help, made of the commands' specs. Parsing is commander's; what commands do is in their specs. */
import { Command, Option } from "commander";
import { VERSION } from "../version.ts";
import type { CommandContext, CommandResult, OutputFormat } from "./command-context.ts";
import { helpHint, usageError } from "./command-error.ts";
import type { CommandSpec, FlagSpec } from "./command-spec.ts";

const EXIT_CODE_HELP =
  "Exit codes: 0 done · 1 failed · 2 wrong command line · 3 a comparison found differences · 130 ended by Ctrl-C";

/** What a program prints with, and what it tells when a command ran. */
export interface ProgramHooks {
  readonly context: CommandContext;
  readonly done: (result: CommandResult, format: OutputFormat) => void;
}

/** The program for these commands. Throws CommanderErrors instead of ending the process. */
export function createProgram(specs: readonly CommandSpec[], hooks: ProgramHooks): Command {
  const program = quiet(new Command("kubewright"), hooks.context)
    .description("Write, run, test, package and ship Kubernetes operators in TypeScript.")
    .version(VERSION, "-V, --version")
    .enablePositionalOptions() // So that --version of "create api" is its own.
    .addHelpText("after", `\n${EXIT_CODE_HELP}`);
  for (const spec of specs) addCommand(program, spec, hooks);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, hooks: ProgramHooks): void {
  const words = spec.name.split(" ");
  const parent = words.slice(0, -1).reduce((each, word) => groupIn(each, word, hooks.context), program);
  const command = quiet(parent.command(words.at(-1) ?? ""), hooks.context)
    .aliases(spec.aliases ?? [])
    .summary(spec.summary)
    .description(spec.description)
    .allowExcessArguments() // Told by refuseSurplus, with the usage.
    .addHelpText("after", `\nExamples:\n${spec.examples.map((line) => `  $ ${line}`).join("\n")}\n\n${EXIT_CODE_HELP}`);
  for (const argument of spec.arguments ?? []) command.argument(argument.name, argument.description);
  for (const flag of spec.flags ?? []) command.addOption(toOption(flag));
  command.addOption(new Option("-o, --output <format>", "how to print").choices(["text", "json"]).default("text"));
  command.action(async () => {
    refuseMissing(command, spec);
    refuseSurplus(command, spec);
    const { output, ...flags } = command.opts<{ output: OutputFormat }>();
    const args = command.processedArgs.flat().filter((each) => each !== undefined);
    hooks.done(await spec.run({ flags, args }, { ...hooks.context, format: output }), output);
  });
}

/** All that is missing at once: the parser would tell the first flag alone. */
function refuseMissing(command: Command, { name, flags = [] }: CommandSpec): void {
  const missing = flags.filter(
    (flag) => flag.required === true && command.getOptionValue(toOption(flag).attributeName()) === undefined,
  );
  if (missing.length === 0) return;
  throw usageError(`${name} is missing ${missing.map((flag) => flag.flags).join(", ")}`, helpHint(name));
}

function refuseSurplus(command: Command, { name }: CommandSpec): void {
  const { args, registeredArguments: taken } = command;
  if (args.length <= taken.length || taken.at(-1)?.variadic === true) return;
  const surplus = args.slice(taken.length).map((argument) => JSON.stringify(argument));
  const what = surplus.length === 1 ? "a surplus argument" : "surplus arguments";
  throw usageError(`${name} has ${what}: ${surplus.join(", ")}`, `usage: kubewright ${name} ${command.usage()}`);
}

/** "create" of "create api": made once, and good for help only. */
function groupIn(parent: Command, word: string, context: CommandContext): Command {
  const known = parent.commands.find((each) => each.name() === word);
  if (known !== undefined) return known;
  const summary = GROUPS.get(word) ?? "";
  const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return quiet(parent.command(word), context).summary(summary).description(description);
}

const GROUPS: ReadonlyMap<string, string> = new Map([
  ["create", "add parts to a project"],
  ["delete", "remove parts of a project"],
  ["cluster", "an embedded cluster that stays"],
  ["image", "container images, made without a daemon"],
  ["generate", "code from what others define"],
]);

function toOption(flag: FlagSpec): Option {
  const option = new Option(flag.flags, flag.required === true ? `${flag.description} (required)` : flag.description);
  if (flag.default !== undefined) option.default(flag.default);
  if (flag.choices !== undefined) option.choices(flag.choices);
  if (flag.repeats === true) {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return option;
}

function quiet(command: Command, context: CommandContext): Command {
  return command
    .exitOverride()
    .configureHelp({ sortOptions: false })
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.note(text.trimEnd()),
      outputError: () => {}, // Told by run-command-line.ts, once.
    });
}
