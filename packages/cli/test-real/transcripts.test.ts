import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadOperator } from "@kubewright/cli";
import { createCluster } from "@kubewright/cluster";
import { systemClock, systemFiles } from "@kubewright/node";
import {
  createClient,
  createHttpTransport,
  createManager,
  findConnection,
  type HttpTransport,
} from "@kubewright/runtime";
import { startRealCluster } from "@kubewright/testing";
import { installCrds } from "../src/cluster/install.ts";
import { OPERATORS, PROJECTS } from "../test/operator-projects.ts";
import { exchangesOf, trimmed } from "../test/transcript.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
const home = await mkdtemp(join(tmpdir(), "kubewright-transcripts-"));
const stack = new AsyncDisposableStack();
stack.defer(() => rm(home, { recursive: true, force: true }));
after(() => stack.disposeAsync());

/** Its kind takes the short name "hpa", by which another transcript asks for a built-in one; it is the last. */
const LATE = "scheduled-scaler";

/** The transcripts hold on the embedded cluster and on Kubernetes itself, whose kubelets are simulated; paths of kubeconfigs. */
const TARGETS: Readonly<Record<string, () => Promise<string>>> = {
  async "an embedded cluster"() {
    const cluster = stack.use(await createCluster({ clock: systemClock, nodes: 3 }));
    const kubeconfig = join(home, "embedded.kubeconfig");
    await writeFile(kubeconfig, (await cluster.apiServer.listen()).kubeconfig ?? "", { mode: 0o600 });
    return kubeconfig;
  },
  Kubernetes: async () => stack.use(await startRealCluster({ programs, nodes: 3 })).kubeconfig,
};

// The two targets in parallel: one of them mostly waits, for the next minute or for the garbage collector.
describe("transcripts", { concurrency: true }, () => {
  for (const [target, open] of Object.entries(TARGETS))
    describe(target, { concurrency: 1 }, () => holdOn(target, open));
});

function holdOn(target: string, open: () => Promise<string>): void {
  let kubeconfig: string;
  before(async () => {
    kubeconfig = await open();
    using transport = await transportTo(kubeconfig);
    // All of them at once: the garbage collector of Kubernetes takes up to 30 s to see new kinds.
    for (const folder of PROJECTS.filter((each) => each !== LATE)) await install(folder, transport);
  });
  for (const folder of PROJECTS) {
    test(`${folder}: the transcript of its README is what kubectl prints, on ${target}`, async () => {
      const readme = await readFile(join(OPERATORS, folder, "README.md"), "utf8");
      const { operator } = await loadOperator(join(OPERATORS, folder));
      using transport = await transportTo(kubeconfig);
      if (folder === LATE) await install(folder, transport);
      await using manager = createManager({ ...operator, transport, clock: systemClock });
      await manager.start();
      const exchanges = exchangesOf(readme);
      assert.ok(exchanges.length > 0, "the README has a transcript");
      for (const { command, output } of exchanges) {
        assert.equal(await typed(command, folder, kubeconfig), output, `$ ${command}`);
      }
    });
  }
}

async function install(folder: string, transport: HttpTransport): Promise<void> {
  const { resources } = await loadOperator(join(OPERATORS, folder));
  await installCrds(createClient({ transport }), resources, new AbortController().signal);
}

async function transportTo(kubeconfig: string): Promise<HttpTransport> {
  return createHttpTransport(await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock }));
}

/** What a shell in the project's folder prints, wherever it prints it. */
function typed(command: string, folder: string, kubeconfig: string): Promise<string> {
  const env = { HOME: home, KUBECONFIG: kubeconfig, PATH: `${programs}:${process.env["PATH"] ?? ""}` };
  return new Promise((resolve) => {
    execFile("sh", ["-c", `${command} 2>&1`], { cwd: join(OPERATORS, folder), env }, (_error, stdout) =>
      resolve(trimmed(stdout)),
    );
  });
}
