/** Asks the Go program beside this file: one answer per question, in their order. It is built when it is asked first. */
import { buildGoProgram, runProgram } from "../go-program.ts";

/** The answers of Kubernetes' own libraries. Needs Go. */
export function ask(questions: readonly object[]): unknown[] {
  const input = questions.map((question) => JSON.stringify(question)).join("\n");
  return runProgram(buildGoProgram(import.meta.dirname), [], { input })
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
