/** Makes planned changes and answers with what was done and what to do next: the end of every scaffolding command. */
import type { CommandContext, CommandResult } from "../command/command-context.ts";
import { applyChanges, describeChanges, type FileChange } from "./file-change.ts";

/** How the changes are made. */
export interface ScaffoldOptions {
  readonly context: CommandContext;
  readonly dryRun: boolean;
  /** Whether files in the way are replaced. @default false, and the command has no such flag */
  readonly force?: boolean;
  /** Commands to type next. @default none */
  readonly next?: readonly string[];
}

/** Makes the changes, unless it is a dry run. */
export async function runScaffold(
  changes: readonly FileChange[],
  { context, dryRun, force, next = [] }: ScaffoldOptions,
): Promise<CommandResult> {
  const text = await describeChanges(context.folder, changes, { texts: dryRun });
  await applyChanges(context.folder, changes, { files: context.files, dryRun, force });
  const steps = next.map((line) => `  ${line}`).join("\n");
  const ending = dryRun ? "\nnothing was changed (dry run)" : steps === "" ? "" : `\nNext:\n${steps}`;
  return {
    text: changes.length === 0 ? "nothing to change" : `${text}\n${ending}`.trimEnd(),
    data: { dryRun, changes: changes.map(({ path, action }) => ({ path, action })), next },
  };
}
