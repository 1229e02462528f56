/** What a command works with: the folder, the environment and where it prints. main.ts makes it of the process. */
import type { Clock, Files } from "@kubewright/core/ports";

/** What every command gets. */
export interface CommandContext {
  /** The folder it runs in. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program and arguments that run `kubewright` in another process. */
  readonly program: readonly string[];
  readonly clock: Clock;
  readonly files: Files;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** How the result is printed. */
  readonly format: OutputFormat;
  /** Whether text may carry colour. */
  readonly color: boolean;
  /** Prints a line of the result, on standard output. */
  print(line: string): void;
  /** Prints a line about what happens, on standard error. */
  note(line: string): void;
  /** Shows a line below all others that is written over; absent where there is no terminal. */
  readonly status?: (text: string) => void;
}

/** "text" for people, "json" for programs. */
export type OutputFormat = "text" | "json";

/** What a command answers with. */
export interface CommandResult {
  /** The result for programs. */
  readonly data?: object;
  /** The result for people. @default nothing is printed */
  readonly text?: string;
  /** Whether a comparison found a difference, which is exit code 3. @default false */
  readonly differs?: boolean;
}
