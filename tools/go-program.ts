/**
 * The oracles: Go programs of this repository's tools that answer with Kubernetes' own libraries. Built as tools/real-cluster builds its
 * programs, so that what Go compiled for one serves the other. Used by the tools that compare with them or record their answers.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
/** More output than any oracle gives. */
const OUTPUT_BYTES_MAX = 1 << 30;

/** The environment in which Go builds: packages that are compiled otherwise would be compiled again. */
export const GO_ENVIRONMENT: Readonly<Record<string, string>> = { CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" };

/** Builds the program whose sources are in the folder; its path. */
export function buildGoProgram(sources: string): string {
  const folder = join(ROOT, "node_modules/.cache/oracles");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, relative(ROOT, sources).replaceAll("/", "-"));
  runProgram("go", ["build", "-o", program, "."], { folder: sources });
  return program;
}

/** Runs a program to its end; what it printed. */
export function runProgram(
  program: string,
  args: readonly string[],
  { folder = ROOT, input = "" }: { readonly folder?: string; readonly input?: string } = {},
): string {
  const env = { ...process.env, ...GO_ENVIRONMENT };
  const options = { cwd: folder, env, input, maxBuffer: OUTPUT_BYTES_MAX, encoding: "utf8" } as const;
  const { error, status, stdout, stderr } = spawnSync(program, args, options);
  if (error !== undefined && program === "go")
    throw new Error(`cannot run go (${error.message}); install Go 1.26 or newer`);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}
