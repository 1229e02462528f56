import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadOperator } from "@kubewright/cli";
import { createCluster } from "@kubewright/cluster";
import { systemClock, systemFiles } from "@kubewright/node";
import { createClient, createHttpTransport, createManager, findConnection } from "@kubewright/runtime";
import { startRealCluster } from "@kubewright/testing";
import { installCrds } from "../src/cluster/install.ts";
import { OPERATORS, PROJECTS } from "../test/operator-projects.ts";
import { exchangesOf, trimmed } from "../test/transcript.ts";

const programs = process.env["KUBEWRIGHT_PROGRAMS"] ?? "";
const home = await mkdtemp(join(tmpdir(), "kubewright-transcripts-"));
const stack = new AsyncDisposableStack();
stack.defer(() => rm(home, { recursive: true, force: true }));
after(() => stack.disposeAsync());

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

for (const [target, open] of Object.entries(TARGETS)) {
  const opened = open();
  for (const folder of PROJECTS) {
    test(`${folder}: the transcript of its README is what kubectl prints, on ${target}`, async () => {
      const kubeconfig = await opened;
      const readme = await readFile(join(OPERATORS, folder, "README.md"), "utf8");
      const { operator, resources } = await loadOperator(join(OPERATORS, folder));
      const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
      using transport = createHttpTransport(connection);
      await installCrds(createClient({ transport }), resources, new AbortController().signal);
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

/** What a shell in the project's folder prints, wherever it prints it. */
function typed(command: string, folder: string, kubeconfig: string): Promise<string> {
  const env = { HOME: home, KUBECONFIG: kubeconfig, PATH: `${programs}:${process.env["PATH"] ?? ""}` };
  return new Promise((resolve) => {
    execFile("sh", ["-c", `${command} 2>&1`], { cwd: join(OPERATORS, folder), env }, (_error, stdout) =>
      resolve(trimmed(stdout)),
    );
  });
}
