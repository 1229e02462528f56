/**
 * Builds the programs of a real Kubernetes from Go modules into a cache folder, once: a program is built again only
 * when the Go module it comes from changed. Used by the suites that run on real Kubernetes and by bench/.
 *
 *   node tools/real-cluster/build.ts [control-plane|controllers|node]     prints the folder with the programs
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { libraryEnvironment } from "./c-library.ts";
import { programImage } from "./program-image.ts";
import { type Level, levels, type Program, programsOf } from "./programs.ts";

/** A lock that names no process and is older than this was left by one that died. */
const LOCK_AGE_MS_MAX = 60_000;
const LOCK_POLL_MS = 1000;

/** The folder with the programs of `level`, building what is missing. KUBEBUILDER_ASSETS wins if it has them all. */
export async function realPrograms(level: Level, log: (line: string) => void = () => {}): Promise<string> {
  const { folder, missing } = findPrograms(level);
  mkdirSync(folder, { recursive: true });
  if (missing.length > 0) await withLock(folder, log, () => buildAll(missing, folder, log));
  return folder;
}

/** Why the programs of `level` are not to be had; undefined when they are there or can be built. */
export function buildProblem(level: Level): string | undefined {
  const { missing } = findPrograms(level);
  if (missing.length === 0) return undefined;
  const hasGo = (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, "go")));
  const names = missing.map(({ name }) => name).join(", ");
  return hasGo ? undefined : `${names} are not built, and there is no Go to build them; install Go 1.26 or newer`;
}

function findPrograms(level: Level): { readonly folder: string; readonly missing: readonly Program[] } {
  const programs = levels.slice(0, levels.indexOf(level) + 1).flatMap((each) => programsOf[each]);
  const given = process.env["KUBEBUILDER_ASSETS"];
  if (given !== undefined && programs.every((program) => existsSync(join(given, program.name)))) {
    return { folder: given, missing: [] };
  }
  const folder = join(process.env["KUBEWRIGHT_CACHE"] ?? join(homedir(), ".cache", "kubewright"), "programs");
  return { folder, missing: programs.filter((program) => !isCurrent(program, folder)) };
}

async function buildAll(programs: readonly Program[], folder: string, log: (line: string) => void): Promise<void> {
  for (const [index, program] of programs.entries()) {
    if (isCurrent(program, folder)) continue;
    log(`building ${program.name} (${index + 1} of ${programs.length}; minutes when the Go cache is empty)`);
    await goBuild(program, folder);
    await joinData(program, folder);
    await packImage(program, folder);
    renameSync(join(folder, `${program.name}.new`), join(folder, program.name));
    writeFileSync(join(folder, `${program.name}.sum`), sourceSum(program));
  }
}

async function goBuild({ library, ...program }: Program, folder: string): Promise<void> {
  const output = join(folder, `${program.name}.new`);
  const env = library === undefined ? {} : libraryEnvironment(library, join(folder, "libraries"));
  const tags = library === undefined ? [] : ["-tags", library.tag];
  await go(program, ["build", ...tags, "-ldflags", program.linkerFlags ?? "-s -w", "-o", output, program.package], env);
}

async function packImage({ name, image }: Program, folder: string): Promise<void> {
  if (image === undefined) return;
  writeFileSync(join(folder, `${name}.tar`), await programImage(join(folder, `${name}.new`), image));
}

/** Data files stay where Go keeps the module; only the programs that read them need them together. */
async function joinData(program: Program, folder: string): Promise<void> {
  if (program.data === undefined) return;
  const moduleSource = (await go(program, ["list", "-f", "{{.Module.Dir}}", program.package])).trim();
  const documents = program.data.map((file) => readFileSync(join(moduleSource, file), "utf8"));
  writeFileSync(join(folder, `${program.name}.yaml`), documents.join("\n---\n"));
}

/** Runs go in the program's module; resolves with what it printed. */
function go(program: Program, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = spawn("go", args, {
    cwd: moduleFolder(program),
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): unknown => child.kill();
  process.once("exit", end);
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => reject(new Error(`cannot run go: install Go 1.26 or newer (${cause.message})`)));
    child.on("close", (code) => {
      process.off("exit", end);
      if (code === 0) resolve(output);
      else reject(new Error(`go failed for ${program.name}:\n${errors.slice(-2000)}`));
    });
  });
}

function isCurrent(program: Program, folder: string): boolean {
  const sum = join(folder, `${program.name}.sum`);
  return existsSync(join(folder, program.name)) && existsSync(sum) && readFileSync(sum, "utf8") === sourceSum(program);
}

function sourceSum(program: Program): string {
  const hash = createHash("sha256").update(JSON.stringify(program));
  for (const file of globSync("**/{go.mod,go.sum,*.go}", { cwd: moduleFolder(program) }).sort()) {
    if (!file.endsWith("tools.go")) hash.update(readFileSync(join(moduleFolder(program), file)));
  }
  return hash.digest("hex");
}

function moduleFolder(program: Program): string {
  return join(import.meta.dirname, "modules", program.module);
}

async function withLock(folder: string, log: (line: string) => void, run: () => Promise<void>): Promise<void> {
  const lock = join(folder, "lock");
  for (let waited = false; !tryLock(lock); waited = true) {
    if (!waited) log(`waiting for another build (remove ${lock} if none is running)`);
    await delay(LOCK_POLL_MS);
  }
  try {
    await run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, "pid"), String(process.pid));
    return true;
  } catch {
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** Whether the process that made the lock is gone. */
function isAbandoned(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(join(lock, "pid"), "utf8")), 0);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    return code === "ENOENT" && age > LOCK_AGE_MS_MAX;
  }
}

if (import.meta.main) {
  const level = (process.argv[2] ?? "control-plane") as Level;
  if (!levels.includes(level)) {
    console.error(`unknown level "${level}"; use one of: ${levels.join(", ")}`);
    process.exit(2);
  }
  console.log(await realPrograms(level, (line) => console.error(line)));
}
