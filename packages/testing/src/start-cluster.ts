/**
 * `startCluster`: what a test of an operator needs, in one call: a cluster with the controllers under test on it. The
 * embedded one (embedded-cluster.ts) lives in virtual time and belongs to this test alone; a real one
 * (real/real-test-cluster.ts) gives the test a namespace of its own, and the same test shows what Kubernetes does.
 */
import { systemProcess } from "@kubewright/node";
import { startEmbeddedCluster } from "./embedded-cluster.ts";
import { startRealTestCluster } from "./real/real-test-cluster.ts";
import { PROVIDERS, type TestCluster, type TestClusterOptions } from "./test-cluster.ts";

/**
 * Starts a cluster for one test.
 * @example
 * await using cluster = await startCluster({ controllers: [memcachedController] });
 * await cluster.client.create(Memcached, { metadata: { name: "a" }, spec: { size: 3 } });
 * await cluster.settled();
 */
export async function startCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const provider = options.provider ?? systemProcess.env["KUBEWRIGHT_TEST_PROVIDER"] ?? "embedded";
  switch (provider) {
    case "embedded":
      return startEmbeddedCluster(options);
    case "envtest":
      return startRealTestCluster(options);
    default:
      throw new Error(`KUBEWRIGHT_TEST_PROVIDER is "${provider}"; use one of: ${PROVIDERS.join(", ")}`);
  }
}
