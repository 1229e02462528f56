/** Shows the type errors of a project, found by its own compiler beside the running operator. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../command/command-context.ts";
import { tellEvent } from "./dev-event.ts";

/** Checks the types once, and prints what is wrong. Does nothing where there is no compiler. */
export function printTypeErrors(context: CommandContext): { stop(): void } {
  const compiler = join(context.folder, "node_modules/.bin/tsc");
  if (!existsSync(compiler)) return { stop() {} };
  const child = spawn(compiler, ["--noEmit", "--pretty", "false"], {
    cwd: context.folder,
    env: { ...context.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.once("error", () => {}); // Without types checked the operator still runs.
  child.once("close", (code) => {
    const errors = output.split("\n").filter((line) => /^(?:src|kubewright\.config)\b.*error TS/.test(line));
    if (code !== 0 && errors.length > 0) tellEvent({ event: "type-errors", errors }, context);
  });
  return {
    stop() {
      child.kill("SIGTERM");
    },
  };
}
