#!/usr/bin/env node
/** `npm create kubewright [folder] [-- --domain example.com …]`: the same as `kubewright init`. */
import { runProcess } from "@kubewright/cli/run";

/** Makes a new project; takes the arguments of `kubewright init`, and answers with the exit code. */
export function createProject(args: readonly string[]): Promise<number> {
  return runProcess(["init", ...args]);
}

if (import.meta.main) process.exitCode = await createProject(process.argv.slice(2));
