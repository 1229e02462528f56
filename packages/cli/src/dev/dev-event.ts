/**
 * What `dev` tells while it runs: for people a line beside the operator's log, with `-o json` an object a line on standard output. Told by
 * run-dev.ts and what it starts; the log of the operator stays on standard error.
 */
import type { CommandContext } from "../command/command-context.ts";

/** One thing that happened. */
export type DevEvent =
  /** The embedded cluster answers; `kubeconfig` is the path to use it by. */
  | { readonly event: "cluster"; readonly url: string; readonly kubeconfig: string }
  /** The operator works, for the `start`-th time. */
  | { readonly event: "running"; readonly start: number; readonly afterMs: number }
  /** The operator ended by itself; the code is null where a signal ended it. */
  | { readonly event: "ended"; readonly exitCode: number | null }
  /** The operator's process could not be made. */
  | { readonly event: "unstarted"; readonly reason: string }
  /** Sources changed, so the operator starts again; paths are relative to the project. */
  | { readonly event: "changed"; readonly files: readonly string[] }
  /** What the compiler says against the sources, a line each. */
  | { readonly event: "type-errors"; readonly errors: readonly string[] };

/** Tells it in the format that was asked for. */
export function tellEvent(event: DevEvent, { format, print, note }: CommandContext): void {
  if (format === "json") print(JSON.stringify(event));
  else note(`● ${formatEvent(event)}`);
}

function formatEvent(event: DevEvent): string {
  switch (event.event) {
    case "cluster":
      return `embedded cluster at ${event.url}`;
    case "running":
      return `the operator runs${event.start === 1 ? "" : " again"} (after ${event.afterMs} ms)`;
    case "ended":
      return `the operator ended with code ${event.exitCode}; waiting for a change`;
    case "unstarted":
      return `the operator does not start: ${event.reason}`;
    case "changed":
      return `changed: ${event.files.join(", ")}`;
    case "type-errors":
      return ["type errors:", ...event.errors.map((line) => `  ${line}`)].join("\n");
  }
}
