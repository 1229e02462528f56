/** What a command makes, written to the file that `--file` names: shared by build-installer, image bundle and image save. */
import { resolve } from "node:path";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";
import { type CommandInput, textFlag } from "../command/command-spec.ts";

/** What the codes of Node.js mean for a file that is to be written. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["EISDIR", "it is a folder"],
  ["EEXIST", "a folder of its path is a file"],
  ["ENOTDIR", "a folder of its path is a file"],
  ["EACCES", "permission denied"],
]);

/** Writes it, and folders that are missing; answers with the path as the user said it. */
export async function writeOutput(
  input: CommandInput,
  { folder, files }: CommandContext,
  content: string | Uint8Array,
): Promise<string> {
  const file = textFlag(input, "file") ?? "";
  await files.write(resolve(folder, file), content).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`cannot write ${JSON.stringify(file)}: ${REASONS.get(cause.code) ?? cause.message}`, {
      remedy: "choose another file with --file",
      cause,
    });
  });
  return file;
}
