/** The Java Operator SDK on fabric8's client: watches over WebSocket, server-side apply, a finalizer. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ClusterRoleBinding } from "@kubewright/api/rbac/v1";
import { startForeignProgram } from "../foreign-program.ts";
import { expectGreetings, expectRepair, installGreetings } from "../greetings.ts";
import { type ServedCluster, startServedCluster } from "../served-cluster.ts";
import { build, cacheFolder } from "../toolchain.ts";

const SOURCES = join(import.meta.dirname, "..", "java-operator-sdk");

test("a Java Operator SDK operator converges, repairs, and lets go by its finalizer", async () => {
  const output = cacheFolder("java-operator-sdk");
  await build("mvn", ["-q", "-B", `-Doutput=${output}`, "package"], { cwd: SOURCES });
  await using served = await startServedCluster();
  await installGreetings(served);
  const classPath = [join(output, "target", "classes"), join(output, "lib", "*")].join(":");
  await using operator = startForeignProgram("java", ["-Xmx256m", "-cp", classPath, "GreetingOperator"], {
    KUBECONFIG: await tokenKubeconfig(served),
  });
  await expectGreetings(served, operator);
  assert.match(operator.output(), /farewell, first/);
  await expectRepair(served);
});

/** fabric8 reads no elliptic-curve key without another library, so the operator comes with a service account's token. */
async function tokenKubeconfig({ client, kubeconfig, folder }: ServedCluster): Promise<string> {
  await client.create(ClusterRoleBinding, {
    metadata: { name: "java" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", name: "default", namespace: "default" }],
  });
  const path = "/api/v1/namespaces/default/serviceaccounts/default/token";
  const answer = await client.request({ method: "POST", path, body: {} });
  const { token } = (answer as { readonly status: { readonly token: string } }).status;
  const config = JSON.parse(readFileSync(kubeconfig, "utf8"));
  config.users[0].user = { token };
  const file = join(folder, "token-kubeconfig");
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
