/**
 * What only Go knows of the types: runs the program in facts/, which prints the registered ones by reflection. The table
 * of types (emit-type-table.ts) is made from it.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A field as Go declares it; see facts/main.go. */
export interface GoField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly omit: "never" | "empty" | "zero";
}

/** The kinds and all struct types below them, by full name such as "k8s.io/api/apps/v1.Deployment". */
export interface GoFacts {
  readonly kinds: readonly { group: string; version: string; kind: string; type: string }[];
  readonly types: Readonly<Record<string, readonly GoField[]>>;
}

/** Compiles and runs the Go program. */
export function readGoFacts(): GoFacts {
  const cwd = join(import.meta.dirname, "facts");
  return JSON.parse(execFileSync("go", ["run", "."], { cwd, encoding: "utf8", maxBuffer: 1 << 26 })) as GoFacts;
}
