/** What is done to pods beside writing them: evicting, binding, debugging, reading their logs. */
import assert from "node:assert/strict";
import type { Answer, ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

const podsOf = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/pods`;

async function createPod(api: ContractApi, name: string, spec: object = {}): Promise<void> {
  const containers = [{ name: "c", image: "i" }];
  const pod = { metadata: { name, labels: { app: name } }, spec: { containers, ...spec } };
  const created = await api.post(podsOf(api), pod);
  assert.equal(created.status, 201, created.text);
}

/** The fields of a manager's entry, as text. */
function fieldsOf({ body }: Answer, manager: string, subresource: string): string {
  const entries: { manager: string; subresource?: string; fieldsV1: object }[] = body.metadata.managedFields;
  const entry = entries.find((each) => each.manager === manager && each.subresource === subresource);
  return JSON.stringify(entry?.fieldsV1);
}

/** The cases. */
export const podSubresourceCases: readonly ContractCase[] = [
  contract("an eviction charges its budget, and leaves all else that the budget says", async (api) => {
    const budgets = `/apis/policy/v1/namespaces/${api.namespace}/poddisruptionbudgets`;
    await createPod(api, "a", { nodeName: "n" });
    const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    await api.patch(`${podsOf(api)}/a/status`, MERGE, { status: ready });
    const spec = { minAvailable: 1, selector: { matchLabels: { app: "a" } } };
    await api.post(budgets, { metadata: { name: "b" }, spec });
    const counts = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
    };
    await api.patch(`${budgets}/b/status`, MERGE, { status: counts });
    const eviction = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "a" } };
    const evicted = await api.post(`${podsOf(api)}/a/eviction`, eviction);
    assert.equal(evicted.status, 201, evicted.text);
    const budget = await api.get(`${budgets}/b`);
    const { conditions, disruptedPods, ...status } = budget.body.status;
    assert.deepEqual(status, { ...counts, disruptionsAllowed: 0 });
    assert.deepEqual(Object.keys(disruptedPods), ["a"]);
    const [{ type, reason }] = conditions;
    assert.deepEqual([type, conditions[0].status, reason], ["DisruptionAllowed", "False", "InsufficientPods"]);
    assert.deepEqual(budget.body.spec, spec);
    assert.match(fieldsOf(budget, "kube-apiserver", "status"), /"f:disruptedPods"/);
  }),

  contract("a binding puts a pod on its node, whichever path it comes by, and changes nothing else", async (api) => {
    const bindings = `/api/v1/namespaces/${api.namespace}/bindings`;
    await createPod(api, "a", { terminationGracePeriodSeconds: 7 });
    const bound = await api.post(bindings, { metadata: { name: "a" }, target: { kind: "Node", name: "n" } });
    assert.equal(bound.status, 201, bound.text);
    const { spec } = (await api.get(`${podsOf(api)}/a`)).body;
    assert.deepEqual([spec.nodeName, spec.containers[0].image, spec.terminationGracePeriodSeconds], ["n", "i", 7]);
    const nowhere = await api.post(`${podsOf(api)}/a/binding`, { metadata: { name: "a" }, target: { kind: "Pod" } });
    assert.equal(nowhere.status, 500);
    assert.match(
      nowhere.body.message,
      /^\[target\.kind: Unsupported value: "Pod": .*, target\.name: Required value\]$/,
    );
  }),

  contract("whoever adds an ephemeral container, or resizes, owns that through the subresource", async (api) => {
    const resources = { requests: { cpu: "1" } };
    await createPod(api, "a", { containers: [{ name: "c", image: "i", resources }] });
    const debug = { spec: { ephemeralContainers: [{ name: "e", image: "x" }] } };
    const debugged = await api.patch(`${podsOf(api)}/a/ephemeralcontainers`, STRATEGIC, debug);
    assert.match(fieldsOf(debugged, "contract", "ephemeralcontainers"), /"f:ephemeralContainers"/);
    const larger = { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] } };
    const resized = await api.patch(`${podsOf(api)}/a/resize`, STRATEGIC, larger);
    assert.equal(resized.body.spec.containers[0].resources.requests.cpu, "2");
    assert.match(fieldsOf(resized, "contract", "resize"), /"f:cpu"/);
  }),

  contract("what is asked of logs must make sense before anybody looks for the pod", async (api) => {
    const said = async (query: string): Promise<readonly unknown[]> => {
      const { status, body } = await api.get(`${podsOf(api)}/none/log?${query}`);
      return [status, body.message];
    };
    assert.deepEqual(await said("tailLines=x"), [400, 'strconv.ParseInt: parsing "x": invalid syntax']);
    assert.equal((await said("sinceTime=x"))[0], 400);
    const invalid = 'PodLogOptions "none" is invalid: ';
    assert.deepEqual(await said("tailLines=-1"), [
      422,
      `${invalid}tailLines: Invalid value: -1: must be greater than or equal to 0`,
    ]);
    assert.deepEqual(await said("sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z"), [
      422,
      `${invalid}[]: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified`,
    ]);
    await createPod(api, "two", {
      initContainers: [{ name: "i", image: "x" }],
      containers: [
        { name: "a", image: "x" },
        { name: "b", image: "x" },
      ],
    });
    const { body } = await api.get(`${podsOf(api)}/two/log`);
    assert.equal(body.message, "a container name must be specified for pod two, choose one of: [i a b]");
  }),
];
