/**
 * The status line of `dev`: whether the operator runs, and how its objects fare, by what its debug server tells. The text is
 * pure; following the operator is a loop that ends with its signal.
 */
import { sleep } from "@kubewright/core/ports";
import type { ReconcileRecord } from "@kubewright/runtime";
import { type AskPorts, askOperator } from "../why/ask-operator.ts";
import { runningOperator } from "../why/operator-state.ts";

const PERIOD_MS = 1_000;

/** The line for an operator that remembers these reconciles. */
export function statusLine(records: readonly ReconcileRecord[]): string {
  const latest = new Map(records.map((record) => [`${record.kind.toLowerCase()}/${nameOf(record)}`, record]));
  const alive = [...latest].filter(([, { result }]) => result !== "gone");
  const failing = alive.filter(([, { result, reason }]) => result === "terminal" || (result === "retry" && reason));
  const last = records.at(-1);
  if (last === undefined) return "● running · nothing reconciled yet";
  const when = new Date(last.startedMs).toISOString().slice(11, 19);
  const counts = `● running · ${alive.length} objects · ${records.length} reconciles, the last at ${when}`;
  const [first] = failing;
  if (first === undefined) return `${counts} · all fine`;
  return `${counts} · ${failing.length} failing: kubewright why ${first[0]}`;
}

function nameOf({ key }: ReconcileRecord): string {
  return key.slice(key.indexOf("/") + 1);
}

/** Shows the line until the signal. */
export async function followStatus(
  folder: string,
  show: (text: string) => void,
  { clock, signal }: AskPorts,
): Promise<void> {
  while (!signal.aborted) {
    const operator = await runningOperator(folder);
    const records = operator && (await askOperator(operator.address, { clock, signal }).catch(() => undefined));
    show(records === undefined ? "● waiting for the operator" : statusLine(records));
    await sleep(clock, PERIOD_MS, signal).catch(() => {}); // The signal ended it.
  }
  show("");
}
