/** Contract cases: what admission fills in and refuses without webhooks. */
import assert from "node:assert/strict";
import { eventually } from "./access.ts";
import type { Answer, ContractApi } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";

function inNamespace({ namespace }: ContractApi, plural: string): string {
  return `/api/v1/namespaces/${namespace}/${plural}`;
}

function pod(name: string, spec: object = {}, resources: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: "c", image: "i", resources }], ...spec } };
}

/** Makes a quota as its controller would leave it. */
async function quota(api: ContractApi, hard: object, used: object, spec: object = {}): Promise<void> {
  const path = inNamespace(api, "resourcequotas");
  const created = await api.post(path, { metadata: { name: "q" }, spec: { hard, ...spec } });
  assert.equal(created.status, 201, created.text);
  const patched = await api.patch(`${path}/q/status`, "application/merge-patch+json", { status: { hard, used } });
  assert.equal(patched.status, 200, patched.text);
}

/** Creates objects until one is refused: a real server learns of quotas and limits a little later. */
async function untilRefused(create: (attempt: number) => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await create(attempt);
    if (answer.status !== 201) return answer;
  }
  throw new Error("nothing was refused");
}

/** The cases. */
export const admissionCases: readonly ContractCase[] = [
  contract("pods tolerate lost nodes for a while and have a priority", async (api) => {
    const created = await api.post(inNamespace(api, "pods"), pod("a"));
    assert.equal(created.status, 201, created.text);
    const { tolerations, priority, preemptionPolicy } = created.body.spec;
    assert.deepEqual(tolerations, [
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
      { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
    ]);
    assert.deepEqual([priority, preemptionPolicy], [0, "PreemptLowerPriority"]);
    const unknown = await api.post(inNamespace(api, "pods"), pod("b", { priorityClassName: "nope" }));
    assert.equal(unknown.status, 403);
    assert.equal(unknown.body.message, 'pods "b" is forbidden: no PriorityClass with name nope was found');
  }),

  contract("limit ranges fill in and bound what containers use", async (api) => {
    const limits = [
      {
        type: "Container",
        max: { memory: "1Gi" },
        min: { cpu: "10m" },
        default: { memory: "512Mi", cpu: "1" },
        defaultRequest: { memory: "256Mi", cpu: "100m" },
        maxLimitRequestRatio: { cpu: "20" },
      },
    ];
    const ranges = inNamespace(api, "limitranges");
    assert.equal((await api.post(ranges, { metadata: { name: "l" }, spec: { limits } })).status, 201);
    const pods = inNamespace(api, "pods");
    const refused = await untilRefused((attempt) =>
      api.post(pods, pod(`a${attempt}`, {}, { limits: { memory: "2Gi" } })),
    );
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi$/);
    const ratio = await api.post(pods, pod("ratio", {}, { requests: { cpu: "10m" }, limits: { cpu: "1" } }));
    assert.match(
      ratio.body.message,
      /cpu max limit to request ratio per Container is 20, but provided ratio is 100.000000$/,
    );
    const filled = await api.post(pods, pod("filled"));
    assert.equal(filled.status, 201, filled.text);
    assert.deepEqual(filled.body.spec.containers[0].resources, {
      limits: { cpu: "1", memory: "512Mi" },
      requests: { cpu: "100m", memory: "256Mi" },
    });
    assert.equal(
      filled.body.metadata.annotations["kubernetes.io/limit-ranger"],
      "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c",
    );
  }),

  contract("quotas refuse what would exceed them, and charge what does not", async (api) => {
    await quota(api, { "count/configmaps": "3", pods: "1" }, { "count/configmaps": "1", pods: "1" });
    const refused = await untilRefused((attempt) => api.post(configMaps(api.namespace), configMap(`a${attempt}`)));
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.message,
      /^configmaps "a\d+" is forbidden: exceeded quota: q, requested: count\/configmaps=1, used: count\/configmaps=3, limited: count\/configmaps=3$/,
    );
    const charged = await api.get(`${inNamespace(api, "resourcequotas")}/q`);
    assert.equal(charged.body.status.used["count/configmaps"], "3");
    const tooMany = await api.post(inNamespace(api, "pods"), pod("p"));
    assert.match(tooMany.body.message, /exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1$/);
  }),

  contract("pods under a compute quota must say what they use", async (api) => {
    const amounts = { "requests.cpu": "1", "limits.memory": "1Gi" };
    await quota(api, amounts, { "requests.cpu": "500m", "limits.memory": "0" });
    const pods = inNamespace(api, "pods");
    const silent = await untilRefused((attempt) => api.post(pods, pod(`s${attempt}`)));
    assert.match(
      silent.body.message,
      /is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c$/,
    );
    const greedy = await api.post(pods, pod("g", {}, { requests: { cpu: "600m" }, limits: { memory: "1Mi" } }));
    assert.match(
      greedy.body.message,
      /exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=500m, limited: requests.cpu=1$/,
    );
    const modest = await api.post(pods, pod("m", {}, { requests: { cpu: "500m" }, limits: { memory: "1Mi" } }));
    assert.equal(modest.status, 201, modest.text);
  }),

  contract("claims and volumes are protected while in use, and claims get the default class", async (api) => {
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    const name = `default-${api.namespace}`;
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    await api.post(classes, { metadata: { name, annotations }, provisioner: "example.com/p" });
    const claims = inNamespace(api, "persistentvolumeclaims");
    const claim = (claimName: string, spec: object = {}): object => ({
      metadata: { name: claimName },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    });
    let attempt = 0;
    let created = await api.post(claims, claim("c0"));
    while (created.body.spec?.storageClassName !== name && attempt++ < 300) {
      created = await api.post(claims, claim(`c${attempt}`));
    }
    assert.equal(created.body.spec.storageClassName, name);
    assert.deepEqual(created.body.metadata.finalizers, ["kubernetes.io/pvc-protection"]);
    const none = await api.post(claims, claim("none", { storageClassName: "" }));
    assert.equal(none.body.spec.storageClassName, "");
    await api.delete(`${classes}/${name}`);
    await eventually(404, () => api.get(`${classes}/${name}`));
  }),

  contract("the labels of a namespace say how secure its pods must be", async (api) => {
    const { namespace } = api;
    const labels = {
      "pod-security.kubernetes.io/enforce": "baseline",
      "pod-security.kubernetes.io/warn": "restricted",
    };
    await api.patch(`/api/v1/namespaces/${namespace}`, "application/merge-patch+json", { metadata: { labels } });
    const pods = inNamespace(api, "pods");
    const bad = {
      hostNetwork: true,
      containers: [
        { name: "a", image: "i", securityContext: { privileged: true, capabilities: { add: ["NET_ADMIN"] } } },
        { name: "b", image: "i", securityContext: { privileged: true }, ports: [{ containerPort: 80, hostPort: 80 }] },
      ],
      volumes: [{ name: "v", hostPath: { path: "/" } }],
    };
    const refused = await untilRefused((attempt) => api.post(pods, pod(`a${attempt}`, bad)));
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.message,
      /is forbidden: violates PodSecurity "baseline:latest": non-default capabilities \(container "a" must not include "NET_ADMIN" in securityContext.capabilities.add\), host namespaces \(hostNetwork=true\), hostPath volumes \(volume "v"\), hostPort \(container "b" uses hostPort 80\), privileged \(containers "a", "b" must not set securityContext.privileged=true\)$/,
    );
    const warned = await api.post(pods, pod("warned"));
    assert.equal(warned.status, 201, warned.text);
    const expected =
      'would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';
    assert.equal(warned.headers["warning"], `299 - ${JSON.stringify(expected)}`);
  }),
];
