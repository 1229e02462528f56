/**
 * `npm run test:real [-- path… --flag…]`: runs on real Kubernetes; with `--possible` it only says whether it could, with `--build` it
 * only builds the programs. What runs there: the `*.test.ts` files in folders named `test-real` or `test-node`, and the tests of
 * operators/, which are the same that `npm test` runs on embedded clusters. It builds the programs once (tools/real-cluster),
 * starts clusters for as many suites as run at once and tells each suite by the environment where everything is:
 *
 *   KUBEWRIGHT_PROGRAMS          folder with the programs
 *   KUBEWRIGHT_REAL_KUBECONFIG   kubeconfig of an administrator of etcd and kube-apiserver alone
 *   KUBEWRIGHT_TEST_PROVIDER     "envtest": `startCluster` gives namespaces of the next
 *   KUBEWRIGHT_TEST_KUBECONFIG   kubeconfig of an administrator of a cluster with controllers and simulated nodes
 *   KUBEWRIGHT_OTHER_KUBECTL     path of the machine's own kubectl; absent when it has none
 *
 * Suites of foreign programs (tools/clients) run on embedded clusters, one after the other when all others are done: many of them
 * measure time, and their builds take whole machines. Suites in `test-node` start nodes on which pods run (`startNodeCluster`), which needs root; some of tools/clients need
 * compilers of other languages. Where that cannot be, they are printed with the reason. Whatever else could not run is printed too, and fails the run; so does what the run leaves behind.
 */
import { spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join, relative, resolve, sep } from "node:path";
import { startControlPlane, startRealCluster } from "@kubewright/testing";
import { nodeProblem } from "@kubewright/testing/node";
import { buildProblem, realPrograms } from "./real-cluster/build.ts";
import { type LaneVariables, openLanes } from "./real-cluster/lanes.ts";
import { beginRun } from "./real-cluster/leftovers.ts";
import { testArguments } from "./test-arguments.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** Simulated nodes of the shared cluster; expectations about spreading need three. */
const NODES = 3;

const LEVELS = ["control-plane", "controllers", "node"];
/** How many suites run at once, each with clusters of its own. Many wait most of the time, so two are good on any machine. */
const LANES_MAX = Math.min(4, Math.max(2, availableParallelism()));
/** A file that takes longer waits for something that never comes; it fails instead of holding up all others. */
const FILE_MS_MAX = 900_000;
/** Suites of foreign programs build them first, and have some that take a minute each. */
const CLIENTS_FILE_MS_MAX = 3_600_000;

/** What suites of foreign programs need beside Go, by the path of the suite. */
const TOOLCHAINS: Readonly<Record<string, readonly string[]>> = {
  "tools/clients/test-real/java-operator-sdk.test.ts": ["java", "mvn"],
  "tools/clients/test-real/kopf.test.ts": ["python3"],
  "tools/clients/test-real/kube-rs.test.ts": ["cargo"],
};

const { paths, flags } = testArguments(
  "npm run test:real [-- path… --flag…], or -- --possible, or -- --build; flags are those of node --test",
  ["--possible", "--build"],
);
if (flags.includes("--possible")) {
  const problem = buildProblem("controllers");
  if (problem !== undefined) fail(`not run: npm run test:real, levels ${LEVELS.join(", ")}, because ${problem}`);
  process.exit(0);
}
const log = (line: string): void => console.error(line);
if (flags.includes("--build")) {
  // Told to stop, it ends what it is building, too.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await realPrograms(nodeProblem() === undefined ? "node" : "controllers", log);
  process.exit(0);
}
const files = suites(paths.length > 0 ? paths : ["packages", "operators", "tools", "bench"]);
if (files.length === 0)
  fail(`no suites in ${paths.join(", ")}; they are in folders named test-real or test-node and in operators`);
const programs = files.every(isOfClients)
  ? ""
  : await realPrograms("controllers", log).catch((error: Error) =>
      fail(`not run: ${files.join(", ")}\nbecause the programs could not be built: ${error.message}`),
    );
const runnable = await runnableSuites();
const run = beginRun();
const code = runnable.length === 0 ? 0 : await runSuites();
const left = await run.leftovers();
if (left.length > 0) console.error(`left behind, which nobody may:\n${left.join("\n")}`);
process.exitCode = left.length > 0 ? 1 : code;

/** The suites that this machine can run; the others are printed. */
async function runnableSuites(): Promise<readonly string[]> {
  const levelProblem = files.some(needsNode) ? await nodeLevelProblem() : undefined;
  const problems = new Map(
    files.map((file) => [file, needsNode(file) ? levelProblem : toolchainProblem(file)] as const),
  );
  for (const [file, problem] of problems) {
    if (problem !== undefined) console.log(`not run here: ${file}, because ${problem}`);
  }
  return files.filter((file) => problems.get(file) === undefined);
}

async function runSuites(): Promise<number> {
  const [clients, others] = [runnable.filter(isOfClients), runnable.filter((file) => !isOfClients(file))];
  const code = others.length === 0 ? 0 : await runOnClusters(others);
  if (clients.length === 0) return code;
  const clientsCode = await runTests(clients, { lanes: 1, fileMsMax: CLIENTS_FILE_MS_MAX }, process.env);
  return code === 0 ? clientsCode : code;
}

async function runOnClusters(suites: readonly string[]): Promise<number> {
  const kubectl = otherKubectl();
  if (kubectl === undefined) console.log("not run: cases with another kubectl, because none is in the PATH");
  await using clusters = new AsyncDisposableStack();
  const count = Math.min(LANES_MAX, suites.length);
  const folder = join(tmpdir(), "lanes");
  clusters.defer(() => rm(folder, { recursive: true, force: true }));
  openLanes(folder, suites.every(needsNode) ? Array(count).fill({}) : await startLanes(count, clusters));
  const lane = join(import.meta.dirname, "real-cluster/lane.ts");
  const limits: RunLimits = { lanes: count, fileMsMax: FILE_MS_MAX, imported: lane };
  return await runTests(suites, limits, {
    ...process.env,
    NODE_COMPILE_CACHE: resolve("node_modules/.cache/compile"),
    KUBEWRIGHT_LANES: folder,
    KUBEWRIGHT_PROGRAMS: programs,
    KUBEWRIGHT_TEST_PROVIDER: "envtest",
    ...(kubectl !== undefined && { KUBEWRIGHT_OTHER_KUBECTL: kubectl }),
  });
}

/** Starts all lanes at once; suites in `test-node` start clusters of their own. */
async function startLanes(count: number, clusters: AsyncDisposableStack): Promise<readonly LaneVariables[]> {
  const startMs = performance.now();
  const starts = Array.from({ length: count }, () => startLane(clusters));
  await Promise.allSettled(starts); // What started beside one that failed is stopped, too.
  const lanes = await Promise.all(starts);
  log(`clusters for ${count} suites at once are ready after ${Math.round((performance.now() - startMs) / 1000)} s`);
  return lanes;
}

async function startLane(clusters: AsyncDisposableStack): Promise<LaneVariables> {
  const plane = clusters.use(await startControlPlane({ programs }));
  const cluster = clusters.use(await startRealCluster({ programs, nodes: NODES }));
  return { KUBEWRIGHT_REAL_KUBECONFIG: plane.kubeconfig, KUBEWRIGHT_TEST_KUBECONFIG: cluster.kubeconfig };
}

interface RunLimits {
  /** How many files run at once. */
  readonly lanes: number;
  readonly fileMsMax: number;
  /** A module that every file begins with. @default none */
  readonly imported?: string;
}

function runTests(
  suites: readonly string[],
  { lanes, fileMsMax, imported }: RunLimits,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const limits = [`--test-concurrency=${lanes}`, `--test-timeout=${fileMsMax}`];
  const imports = imported === undefined ? [] : ["--import", imported];
  const args = ["--test", "--test-reporter=spec", ...imports, ...limits];
  const child = spawn(process.execPath, [...args, ...flags, ...suites], { stdio: "inherit", env });
  // The clusters are stopped when the tests have ended, whoever ended them.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (status) => done(status ?? 1));
  });
}

function suites(roots: readonly string[]): readonly string[] {
  const patterns = roots.map((root) => (root.endsWith(".ts") ? root : `${root.replace(/\/$/, "")}/**/*.test.ts`));
  const found = globSync(patterns, { exclude: (path) => path.split("/").includes("node_modules") });
  return [...new Set(found)].filter(runsOnReal).sort();
}

function runsOnReal(file: string): boolean {
  const path = relative(ROOT, resolve(file)).split(sep);
  return path.includes("test-real") || path.includes("test-node") || path[0] === "operators";
}

function isOfClients(file: string): boolean {
  return relative(ROOT, resolve(file)).split(sep).slice(0, 2).join("/") === "tools/clients";
}

function needsNode(file: string): boolean {
  return file.split(sep).includes("test-node");
}

/** Why suites that need a node cannot run; undefined when they can, and its programs are built. */
async function nodeLevelProblem(): Promise<string | undefined> {
  const problem = nodeProblem();
  if (problem !== undefined) return problem;
  return realPrograms("node", log).then(
    () => undefined,
    (error: Error) => `its programs could not be built: ${error.message}`,
  );
}

function toolchainProblem(file: string): string | undefined {
  const tools = TOOLCHAINS[relative(ROOT, resolve(file))] ?? [];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const missing = tools.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))));
  return missing.length === 0 ? undefined : `there is no ${missing.join(" and no ")}; install it`;
}

/** The first kubectl of the PATH that is not the one built here. */
function otherKubectl(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => resolve(folder) !== programs);
  return folders.map((folder) => join(folder, "kubectl")).find((path) => existsSync(path));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
