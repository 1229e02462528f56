/** Asks a running operator for its last reconciles, at its debug server on loopback. */
import type { Clock } from "@kubewright/core/ports";
import { RECONCILES_PATH, type ReconcileRecord } from "@kubewright/runtime";
import { openDeadline } from "../cluster/deadline.ts";
import { CommandError, usageError } from "../command/command-error.ts";

const TIMEOUT = "5s";

/** What asking takes. */
export interface AskPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The reconciles that the operator at an address ("127.0.0.1:8082") remembers, the oldest first. */
export async function askOperator(address: string, { clock, signal }: AskPorts): Promise<readonly ReconcileRecord[]> {
  const url = `${addressOf(address)}${RECONCILES_PATH}`;
  using deadline = openDeadline(clock, TIMEOUT, signal);
  const response = await fetch(url, { signal: deadline.signal, redirect: "error" }).catch((cause: Error) => {
    throw new CommandError(`no operator answers at ${address}: ${reasonOf(cause)}`, {
      remedy: "is it the address of --debug-bind-address, and does a port-forward to it run?",
      cause,
    });
  });
  if (!response.ok) {
    throw new CommandError(`${url} answers ${response.status}: that is no operator's debug server`, {
      remedy: "give the address that the operator has as --debug-bind-address",
    });
  }
  const { reconciles } = (await response.json()) as { readonly reconciles: readonly ReconcileRecord[] };
  return reconciles;
}

function addressOf(address: string): string {
  if (/^[\w.[\]:-]+:\d{1,5}$/.test(address)) return `http://${address}`;
  throw usageError(`${JSON.stringify(address)} is no address`, 'write it as "127.0.0.1:8082"');
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
