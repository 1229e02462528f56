/** The rows of docs/differences.md that show at the API. */
import assert from "node:assert/strict";
import { Deployment, ReplicaSet } from "@kubewright/api/apps/v1";
import { Lease } from "@kubewright/api/coordination/v1";
import { Pod, Service } from "@kubewright/api/core/v1";
import type { TestCluster } from "@kubewright/testing";
import { template } from "../expectations/expectation.ts";
import { type Difference, type PlainAnswer, send } from "./difference.ts";
import { createPastRedirect } from "./redirecting-server.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const APIS = "/apis/apiregistration.k8s.io/v1/apiservices";
const PROTOBUF = { accept: "application/vnd.kubernetes.protobuf" };
const OPENAPI_PROTOBUF = { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
/** What kube-controller-manager makes of the template of the expectations. */
const HASH_OF_KUBERNETES = "bdb9f48b7";

/** All of them. */
export const differences: readonly Difference[] = [
  {
    what: "encoding of answers",
    embedded: async (cluster) =>
      assert.equal((await send(cluster, "GET", "/api/v1/nodes", { headers: PROTOBUF })).status, 406),
    async kubernetes(cluster) {
      const { headers } = await send(cluster, "GET", "/api/v1/nodes", { headers: PROTOBUF });
      assert.equal(headers["content-type"], PROTOBUF.accept);
    },
  },
  {
    what: "OpenAPI as protobuf",
    embedded: async (cluster) =>
      assert.equal((await send(cluster, "GET", "/openapi/v2", { headers: OPENAPI_PROTOBUF })).status, 406),
    kubernetes: async (cluster) =>
      assert.equal((await send(cluster, "GET", "/openapi/v2", { headers: OPENAPI_PROTOBUF })).status, 200),
  },
  {
    what: "descriptions of built-in kinds",
    embedded: async (cluster) => assert.deepEqual(await descriptions(cluster), [undefined, ""]),
    async kubernetes(cluster) {
      for (const text of await descriptions(cluster)) assert.match(text ?? "", /\w/);
    },
  },
  {
    what: "`pod-template-hash`",
    embedded: async (cluster) => assert.notEqual(await templateHash(cluster), HASH_OF_KUBERNETES),
    kubernetes: async (cluster) => assert.equal(await templateHash(cluster), HASH_OF_KUBERNETES),
  },
  {
    what: "service addresses",
    embedded: (cluster) => addressesAreFixed(cluster),
    kubernetes: (cluster) => addressesAreFixed(cluster), // As configured here, it does the same.
  },
  {
    what: "new custom resources",
    embedded: async (cluster) => assert.equal(await listNewKind(cluster), 200),
    // Whether it is served a moment later is a matter of luck; that nothing served it when the create was answered is not.
    kubernetes: async (cluster) =>
      assert.equal(JSON.parse((await createCrd(cluster, "Fresh", { type: "object" })).text).status.conditions, null),
  },
  {
    what: "nesting of objects",
    embedded: async (cluster) => assert.equal((await createNested(cluster, 600)).status, 400),
    kubernetes: async (cluster) => assert.equal((await createNested(cluster, 600)).status, 201),
  },
  {
    what: "redirects of webhooks",
    async embedded(cluster) {
      const { status, text } = await createPastRedirect(cluster);
      assert.equal(status, 500);
      assert.match(text, /failed calling webhook/);
    },
    kubernetes: async (cluster) => assert.equal((await createPastRedirect(cluster)).status, 201),
  },
  {
    what: "pods",
    async embedded({ client, eventually }) {
      const spec = { containers: [{ name: "none", image: "registry.invalid/nobody-has-this:1" }] };
      await client.create(Pod, { metadata: { name: "simulated" }, spec });
      await eventually(async () => assert.equal((await client.get(Pod, "simulated")).status?.phase, "Running"));
    },
  },
  {
    what: "leases of nodes",
    async embedded(cluster) {
      const renewals = async () =>
        (await cluster.client.list(Lease, { namespace: "kube-node-lease" })).items.map(({ spec }) => spec?.renewTime);
      const before = await renewals();
      assert.ok(before.length > 0);
      await cluster.advance("1m");
      assert.deepEqual(await renewals(), before);
    },
  },
  {
    what: "lease of the API server",
    embedded: async (cluster) => assert.deepEqual(await identities(cluster), []),
    kubernetes: async (cluster) => assert.equal((await identities(cluster)).length, 1),
  },
  {
    what: "events of the scheduler",
    embedded: async (cluster) => assert.equal(await schedulerInSource(cluster), "default-scheduler"),
    kubernetes: async (cluster) => assert.equal(await schedulerInSource(cluster), undefined),
  },
  {
    what: "aggregated APIs, flow control, CBOR",
    async embedded(cluster) {
      assert.equal((await aggregated(cluster)).status, 404);
      assert.equal((await send(cluster, "GET", "/api/v1/nodes")).headers[FLOW_HEADER], undefined);
    },
    async kubernetes(cluster) {
      await cluster.eventually(async () => assert.equal((await aggregated(cluster)).status, 503));
      await send(cluster, "DELETE", `${APIS}/v1.${aggregatedGroup(cluster)}`); // It would keep namespaces from being deleted.
      assert.notEqual((await send(cluster, "GET", "/api/v1/nodes")).headers[FLOW_HEADER], undefined);
    },
  },
];

const FLOW_HEADER = "x-kubernetes-pf-flowschema-uid";

async function templateHash({ client, eventually }: TestCluster): Promise<string | undefined> {
  const spec = { selector: { matchLabels: { app: "hash" } }, template: template("hash") };
  await client.create(Deployment, { metadata: { name: "hash" }, spec });
  return eventually(async () => {
    const [set] = (await client.list(ReplicaSet)).items;
    assert.ok(set);
    return set.metadata?.labels?.["pod-template-hash"];
  });
}

/** The component that the source of a Scheduled event names: what comes by events.k8s.io has none there. */
async function schedulerInSource(cluster: TestCluster): Promise<string | undefined> {
  await cluster.client.create(Pod, { metadata: { name: "placed" }, spec: template("placed").spec });
  const path = `/api/v1/namespaces/${cluster.namespace}/events?fieldSelector=reason%3DScheduled%2CinvolvedObject.name%3Dplaced`;
  return cluster.eventually(async () => {
    const { items } = JSON.parse((await send(cluster, "GET", path)).text) as {
      readonly items: readonly { readonly source?: { readonly component?: string } }[];
    };
    assert.equal(items.length, 1);
    return items[0]?.source?.component;
  });
}

async function addressesAreFixed({ client }: TestCluster): Promise<void> {
  const ports = [{ port: 80 }];
  const { spec } = await client.create(Service, { metadata: { name: "four" }, spec: { ports } });
  assert.match(spec?.clusterIP ?? "", /^10\.0\.0\.\d+$/);
  const six = { metadata: { name: "six" }, spec: { ports, ipFamilies: ["IPv6"] as const } };
  await assert.rejects(client.create(Service, six), /not configured on this cluster/);
}

function createCrd(cluster: TestCluster, kind: string, schema: object): Promise<PlainAnswer> {
  const name = kind.toLowerCase();
  const group = `${cluster.namespace}.example.com`;
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const names = { kind, plural: name, singular: name, listKind: `${kind}List` };
  const crd = {
    metadata: { name: `${name}.${group}` },
    spec: { group, names, scope: "Namespaced", versions: [version] },
  };
  return send(cluster, "POST", CRDS, { body: JSON.stringify(crd) });
}

/** The status of the first request for a kind, right after its definition was created. */
async function listNewKind(cluster: TestCluster): Promise<number> {
  assert.equal((await createCrd(cluster, "Fresh", { type: "object" })).status, 201);
  return (await send(cluster, "GET", `/apis/${cluster.namespace}.example.com/v1/fresh`)).status;
}

/** A ConfigMap with a field that nobody knows and that nests deep. */
function createNested(cluster: TestCluster, levels: number): Promise<PlainAnswer> {
  const nested = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const body = `{"metadata":{"name":"nested"},"unknown":${nested}}`;
  return send(cluster, "POST", `/api/v1/namespaces/${cluster.namespace}/configmaps`, { body });
}

function aggregatedGroup({ namespace }: TestCluster): string {
  return `${namespace}.aggregated.example.com`;
}

/** A request for an API that another server should serve, which is not there. */
async function aggregated(cluster: TestCluster): Promise<PlainAnswer> {
  const group = aggregatedGroup(cluster);
  const service = { namespace: cluster.namespace, name: "nothing" };
  const spec = {
    group,
    version: "v1",
    groupPriorityMinimum: 100,
    versionPriority: 100,
    service,
    insecureSkipTLSVerify: true,
  };
  await send(cluster, "POST", APIS, { body: JSON.stringify({ metadata: { name: `v1.${group}` }, spec }) });
  return send(cluster, "GET", `/apis/${group}/v1/things`);
}

/** What OpenAPI says of ConfigMaps, and a table of its first column. */
async function descriptions(cluster: TestCluster): Promise<readonly (string | undefined)[]> {
  const document = JSON.parse((await send(cluster, "GET", "/openapi/v3/api/v1")).text);
  const table = JSON.parse((await send(cluster, "GET", "/api/v1/configmaps", { headers: TABLE })).text);
  return [
    document.components.schemas["io.k8s.api.core.v1.ConfigMap"].description,
    table.columnDefinitions[0].description,
  ];
}

async function identities({ client }: TestCluster): Promise<readonly Lease[]> {
  const labelSelector = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  return (await client.list(Lease, { namespace: "kube-system", labelSelector })).items;
}
