/** `@kubewright/cli/run`: the command line in this process: its folder, streams and signals. */
import { systemClock, systemFiles } from "@kubewright/node";
import type { CommandContext } from "./command/command-context.ts";
import { EXIT_CODES } from "./command/command-error.ts";
import { runCommandLine } from "./command/run-command-line.ts";
import { COMMANDS } from "./commands.ts";
import { createTerminalLines } from "./output/terminal-lines.ts";

/**
 * Runs a command line in this process; answers with the exit code. After Ctrl-C that tells of it, also where a command such as `dev` ended in
 * order; SIGTERM is how others stop such a command, and no failure. A second Ctrl-C ends the process at once.
 */
export async function runProcess(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  let pressed = false;
  // A terminal sends Ctrl-C to the operator of `dev` as well, which `dev` then asks to stop: that is no second Ctrl-C.
  const interrupt = (): void => {
    if (pressed) process.exit(EXIT_CODES.interrupted);
    pressed = true;
    stop();
  };
  const terminal = openTerminal();
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", stop);
  try {
    const exitCode = await runCommandLine(args, COMMANDS, {
      folder: process.cwd(),
      env: process.env,
      program: [process.execPath, process.argv[1] ?? ""],
      clock: systemClock,
      files: systemFiles,
      signal: interrupted.signal,
      format: "text",
      color: process.stderr.isTTY === true && process.env["NO_COLOR"] === undefined,
      print: (line) => process.stdout.write(`${line}\n`),
      note: (line) => process.stderr.write(`${line}\n`),
      ...terminal,
    });
    return pressed && exitCode === EXIT_CODES.ok ? EXIT_CODES.interrupted : exitCode;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", stop);
  }
}

/** On a terminal, where both streams meet, lines go above a status line. */
function openTerminal(): Partial<Pick<CommandContext, "print" | "note" | "status">> {
  if (process.stderr.isTTY !== true || process.stdout.isTTY !== true) return {};
  const lines = createTerminalLines(
    (text) => process.stderr.write(text),
    () => process.stderr.columns,
  );
  return { print: lines.print, note: lines.print, status: lines.status };
}
