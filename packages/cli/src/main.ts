#!/usr/bin/env node
/** The `kubewright` program. */
import { runProcess } from "./run-process.ts";

process.exitCode = await runProcess(process.argv.slice(2));
