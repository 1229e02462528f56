/**
 * controller-runtime's own tests, unchanged, on the envtest stand-in. Every spec that its authors run passes; the ones they mark as
 * pending are not run by them either, and their number is pinned here.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { goModuleSources } from "../go-module.ts";
import { build, run } from "../toolchain.ts";

const VERSION = "v0.25.2";
const ENVTEST = fileURLToPath(new URL("../../../packages/cli/src/envtest/main.ts", import.meta.url));
/**
 * Packages and how many specs pass and are pending in each. Left out is pkg/client/apiutil: its suite downloads programs of two
 * versions of Kubernetes to compare them.
 */
const SUITES = {
  "pkg/client": { passed: 311, pending: 22 },
  "pkg/client/config": { passed: 10, pending: 0 },
  "pkg/client/fake": { passed: 361, pending: 0 },
  "pkg/client/interceptor": { passed: 30, pending: 0 },
  "pkg/builder": { passed: 72, pending: 0 },
  "pkg/cache": { passed: 276, pending: 0 },
  "pkg/controller": { passed: 32, pending: 0 },
  "pkg/envtest": { passed: 28, pending: 0 },
  "pkg/manager": { passed: 107, pending: 0 },
  "pkg/webhook": { passed: 8, pending: 2 },
} as const;

let sources: string;
let folder: string;
let assets: string;

before(async () => {
  sources = await goModuleSources("sigs.k8s.io/controller-runtime", VERSION);
  folder = mkdtempSync(join(tmpdir(), "kubewright-envtest-"));
  assets = join(folder, "assets");
  await build(process.execPath, [ENVTEST, assets]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** What ginkgo reports of a spec. */
interface SpecReport {
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

for (const [name, expected] of Object.entries(SUITES)) {
  test(`controller-runtime ${name}: ${expected.passed} specs pass`, async () => {
    const report = join(folder, `${name.replaceAll("/", "-")}.json`);
    const program = join(folder, `${name.replaceAll("/", "-")}.test`);
    await build("go", ["test", "-c", "-o", program, `./${name}`], { cwd: sources });
    // Some of them give another goroutine 100 ms, which is too little on a busy machine: those are tried again.
    const args = ["-test.timeout=30m", "-ginkgo.flake-attempts=5", `-ginkgo.json-report=${report}`];
    const options = { cwd: join(sources, name), env: { KUBEBUILDER_ASSETS: assets } };
    const { output } = await run(program, args, options);
    const specs = specsOf(report, output);
    const failed = specs.filter(({ State }) => State !== "passed" && State !== "pending");
    assert.deepEqual(failed.map(describeSpec), []);
    const count = (state: string): number => specs.filter(({ State }) => State === state).length;
    assert.deepEqual({ passed: count("passed"), pending: count("pending") }, expected);
  });
}

function specsOf(report: string, output: string): readonly SpecReport[] {
  try {
    const suites = JSON.parse(readFileSync(report, "utf8")) as readonly {
      readonly SpecReports: readonly SpecReport[];
    }[];
    return suites.flatMap(({ SpecReports }) => SpecReports).filter(({ LeafNodeType }) => LeafNodeType === "It");
  } catch (cause) {
    throw new Error(`the suite reported nothing:\n${output.slice(-8000)}`, { cause });
  }
}

function describeSpec({ ContainerHierarchyTexts, LeafNodeText, State, Failure }: SpecReport): string {
  return `${[...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ")}: ${State}: ${Failure?.Message ?? ""}`;
}
