#!/usr/bin/env node
/** The `kubewright` program. */
import { runProcess } from "./run-process.ts";

const args = process.argv.slice(2);
if (args[0] === "cluster" && args[1] === "up") {
  const { restartLean } = await import("./cluster/restart-lean.ts");
  restartLean(process);
}
process.exitCode = await runProcess(args);
