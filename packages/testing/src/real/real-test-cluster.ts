/**
 * The real cluster of `startCluster`: one that runs already, or the programs of Kubernetes started for this test. Either
 * way the test works in a namespace of its own, and the controllers under test see nothing but it.
 */
import { Namespace, Service, ServiceAccount } from "@kubewright/api/core/v1";
import { type Clock, silentLogger, sleep } from "@kubewright/core/ports";
import type { CustomResource } from "@kubewright/core/schema";
import { systemClock, systemFiles, systemProcess, systemRandom } from "@kubewright/node";
import {
  type Client,
  createClient,
  createHttpTransport,
  createManager,
  exists,
  findConnection,
  waitFor,
} from "@kubewright/runtime";
import { installCrds, resourcesOf } from "../install-crds.ts";
import type { TestCluster, TestClusterOptions } from "../test-cluster.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { startRealCluster } from "./controllers.ts";
import { findPrograms, isRealLevel, type RealLevel } from "./find-programs.ts";
import { settleReal } from "./settle.ts";

const POLL_MS = 50;
const EVENTUALLY_MS_MAX = 120_000;

/** Starts a manager of the controllers under test in a namespace of a real cluster. */
export async function startRealTestCluster(options: TestClusterOptions): Promise<TestCluster> {
  refuseEmbeddedOptions(options);
  await using stack = new AsyncDisposableStack();
  const { controllers = [], log = silentLogger } = options;
  const level = levelOf(options);
  const resources = resourcesOf(options);
  const kubeconfig = await openCluster({ ...options, level }, stack);
  const connection = await findConnection({ kubeconfig, env: {}, files: systemFiles, clock: systemClock });
  const transport = stack.use(createHttpTransport(connection));
  const admin = createClient({ transport });
  await installCrds(admin, resources);
  const hasControllers = level === "controllers";
  const namespace = await createNamespace(admin, hasControllers);
  const client = admin.with({ namespace });
  stack.defer(() => removeNamespace(client, namespace, resources));
  const ports = { transport, clock: systemClock, random: systemRandom, log };
  const manager = createManager({ ...ports, controllers, namespaces: [namespace], client: { namespace } });
  stack.defer(() => manager.stop());
  await manager.start();
  const started = stack.move();
  const stop = (): Promise<void> => started.disposeAsync();
  return {
    client: manager.client,
    namespace,
    clock: systemClock,
    transport,
    manager,
    kubeconfig,
    settled: () =>
      settleReal({
        client,
        namespace,
        manager,
        controllers,
        kinds: resources,
        collectsGarbage: hasControllers,
        clock: systemClock,
      }),
    eventually: (check) => pollUntilPassed(check, systemClock),
    advance: () => Promise.reject(embeddedOnly("advance passes virtual time")),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function refuseEmbeddedOptions({ scripts, clusterControllers, startMs, seed, metrics }: TestClusterOptions): void {
  const given = Object.entries({ scripts, clusterControllers, startMs, seed, metrics });
  const name = given.find(([, value]) => value !== undefined)?.[0];
  if (name !== undefined) throw embeddedOnly(`the option "${name}"`);
}

function embeddedOnly(what: string): Error {
  return new Error(`${what}, which a real cluster does not have; give startCluster provider: "embedded" in this test`);
}

function levelOf(options: TestClusterOptions): RealLevel {
  const level = options.level ?? systemProcess.env["KUBEWRIGHT_TEST_LEVEL"] ?? "controllers";
  if (isRealLevel(level)) return level;
  throw new Error(`KUBEWRIGHT_TEST_LEVEL is "${level}"; use "control-plane" or "controllers"`);
}

/** The kubeconfig of a cluster that runs already, or of one that stops with `stack`. */
async function openCluster(
  options: TestClusterOptions & { readonly level: RealLevel },
  stack: AsyncDisposableStack,
): Promise<string> {
  const { level, nodes = 1 } = options;
  const given = options.kubeconfig ?? systemProcess.env["KUBEWRIGHT_TEST_KUBECONFIG"];
  if (given !== undefined) return given;
  const programs = findPrograms(level, systemProcess.env);
  const start = (): Promise<ControlPlane> =>
    level === "controllers" ? startRealCluster({ programs, nodes }) : startControlPlane({ programs });
  return stack.use(await start()).kubeconfig;
}

async function createNamespace(client: Client, hasControllers: boolean): Promise<string> {
  const { metadata } = await client.create(Namespace, { metadata: { generateName: "test-" } });
  const namespace = metadata?.name ?? "";
  // Pods are refused before their service account is there.
  if (hasControllers) await waitFor(client, ServiceAccount, { name: "default", namespace }, { condition: exists });
  return namespace;
}

/**
 * Gives back what other tests could miss, node ports first; the rest goes with the namespace in its own time. The
 * operator has stopped, so its finalizers are taken off.
 */
async function removeNamespace(client: Client, namespace: string, resources: readonly CustomResource[]): Promise<void> {
  for (const resource of resources.filter(({ scope }) => scope === "Namespaced")) {
    const held = (await client.list(resource)).items.filter(({ metadata }) => metadata?.finalizers !== undefined);
    for (const object of held) await client.patch(resource, object, { merge: { metadata: { finalizers: null } } });
  }
  await client.deleteCollection(Service);
  await client.delete(Namespace, namespace);
}

async function pollUntilPassed<Result>(check: () => Promise<Result>, clock: Clock): Promise<Result> {
  const endMs = clock.monotonic() + EVENTUALLY_MS_MAX;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (clock.monotonic() > endMs) throw error;
    }
    await sleep(clock, POLL_MS);
  }
}
