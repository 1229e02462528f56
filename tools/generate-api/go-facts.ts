/**
 * What only Go knows of the types: runs the program in facts/, which prints the registered ones by reflection. The table
 * of types (emit-type-table.ts) is made from it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../go-program.ts";

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

const PROGRAM = join(import.meta.dirname, "facts");

/** Compiles and runs the Go program. */
export function readGoFacts(): GoFacts {
  return JSON.parse(run(["run", "."])) as GoFacts;
}

/** The sample objects as Go encodes them, one JSON object per line. */
export function readGoldens(): string {
  const samples = readFileSync(join(import.meta.dirname, "samples.json"), "utf8");
  return run(["run", ".", "goldens"], samples).replaceAll('},{"input":', '},\n{"input":');
}

/** Where the Go tool keeps the module that the program was built with. */
export function moduleDirectory(module: string): string {
  return run(["list", "-m", "-f", "{{.Dir}}", module]).trim();
}

function run(args: readonly string[], input = ""): string {
  return runProgram("go", args, { folder: PROGRAM, input });
}
