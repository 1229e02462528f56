/**
 * Where a project's operator runs on this machine, for commands that ask it: .kubewright/operator.json, written by `run`
 * (and so by `dev`) while the operator runs. `why` reads it.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Files } from "@kubewright/core/ports";
import { isAlive } from "../cluster/embedded-state.ts";

/** A running operator. */
export interface OperatorState {
  readonly pid: number;
  /** "127.0.0.1:40123": its debug server. */
  readonly address: string;
}

function pathIn(folder: string): string {
  return join(folder, ".kubewright/operator.json");
}

/** The operator of the project in `folder`, if one runs here. */
export async function runningOperator(folder: string): Promise<OperatorState | undefined> {
  const text = await readFile(pathIn(folder), "utf8").catch(() => undefined);
  const state = text === undefined ? undefined : (JSON.parse(text) as OperatorState);
  return state !== undefined && isAlive(state.pid) ? state : undefined;
}

/** Tells where the operator runs. */
export async function writeOperatorState(folder: string, state: OperatorState, files: Files): Promise<void> {
  await files.write(pathIn(folder), `${JSON.stringify(state)}\n`, { mode: 0o600 });
}

/** Forgets it, unless another operator took its place. */
export async function removeOperatorState(folder: string, { pid, address }: OperatorState): Promise<void> {
  const now = await runningOperator(folder);
  if (now === undefined || (now.pid === pid && now.address === address)) await rm(pathIn(folder), { force: true });
}
