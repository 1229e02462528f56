#!/usr/bin/env node
/**
 * The `kubewright-envtest` program: writes a folder for KUBEBUILDER_ASSETS, so that envtest suites of Go projects run
 * on the embedded API server, and is itself what the launchers in that folder start.
 *
 *   KUBEBUILDER_ASSETS="$(npx kubewright-envtest)" go test ./...
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { systemFiles, systemProcess } from "@kubewright/node";
import type { RunContext } from "./etcd-server.ts";
import { parseGoFlags } from "./go-flags.ts";

const FOLDER_DEFAULT = ".kubewright/envtest";
const USAGE = `kubewright-envtest [folder]

Writes etcd, kube-apiserver and kubectl into a folder (${FOLDER_DEFAULT} by default) and prints its path:

  KUBEBUILDER_ASSETS="$(npx kubewright-envtest)" go test ./...
`;

process.exitCode = await run(systemProcess.args).catch((error: unknown) => {
  process.stderr.write(`kubewright-envtest: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function run([command = "", ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case "etcd":
      return serve(async (context) => {
        const { runEtcd } = await import("./etcd-server.ts");
        await runEtcd(parseGoFlags(rest), context);
      });
    case "kube-apiserver":
      return serve(async (context) => {
        const { runKubeApiServer } = await import("./kube-apiserver.ts");
        await runKubeApiServer(parseGoFlags(rest), { ...context, files: systemFiles });
      });
    case "--help":
    case "-h":
      process.stdout.write(USAGE);
      return 0;
    default:
      return install(command === "" ? FOLDER_DEFAULT : command);
  }
}

async function install(folder: string): Promise<number> {
  if (folder.startsWith("-")) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { writeShims } = await import("./write-shims.ts");
  const absolute = resolve(folder);
  await writeShims(absolute, { node: process.execPath, program: fileURLToPath(import.meta.url) }, systemFiles);
  process.stdout.write(`${absolute}\n`);
  return 0;
}

async function serve(program: (context: RunContext) => Promise<void>): Promise<number> {
  const stopping = new AbortController();
  const cancel = systemProcess.onStopSignal(() => stopping.abort());
  try {
    await program({ stopped: stopping.signal, note: (line) => process.stderr.write(`${line}\n`) });
    return 0;
  } finally {
    cancel();
  }
}
