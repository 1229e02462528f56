/** Service accounts of pods: what admission makes of a pod's account. */
import assert from "node:assert/strict";
import { ConfigMap, Pod, ServiceAccount } from "@kubewright/api/core/v1";
import { type Expectation, server } from "./expectation.ts";

const PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const spec = { containers: [server], initContainers: [{ ...server, name: "init" }] };

/** What pods get of their service accounts. */
export const accounts: readonly Expectation[] = [
  {
    name: "a pod runs as the default account and finds its token in every container",
    async run({ client, eventually }) {
      const { spec: made } = await client.create(Pod, { metadata: { name: "pod" }, spec });
      assert.deepEqual([made?.serviceAccountName, made?.serviceAccount], ["default", "default"]);
      const [volume, ...others] = made?.volumes ?? [];
      assert.match(volume?.name ?? "", /^kube-api-access-[a-z0-9]{5}$/);
      assert.deepEqual(others, []);
      assert.deepEqual(volume?.projected, {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
          { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
          {
            downwardAPI: {
              items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
            },
          },
        ],
      });
      const mount = { name: volume?.name, mountPath: PATH, readOnly: true };
      for (const { volumeMounts } of [...(made?.initContainers ?? []), ...(made?.containers ?? [])]) {
        assert.deepEqual(volumeMounts, [mount]);
      }
      await eventually(async () => {
        assert.ok(await client.find(ConfigMap, "kube-root-ca.crt"));
        assert.equal((await client.get(Pod, "pod")).status?.phase, "Running");
      });
    },
  },
  {
    name: "an account may keep its token to itself and lend its pull secrets; a pod says otherwise for itself",
    async run({ client }) {
      const imagePullSecrets = [{ name: "registry" }];
      await client.create(ServiceAccount, {
        metadata: { name: "robot" },
        automountServiceAccountToken: false,
        imagePullSecrets,
      });
      const robot = { ...spec, serviceAccountName: "robot" };
      const quiet = await client.create(Pod, { metadata: { name: "quiet" }, spec: robot });
      assert.deepEqual([quiet.spec?.volumes, quiet.spec?.imagePullSecrets], [undefined, imagePullSecrets]);
      const own = { ...robot, automountServiceAccountToken: true, imagePullSecrets: [{ name: "own" }] };
      const mounting = await client.create(Pod, { metadata: { name: "mounting" }, spec: own });
      assert.equal(mounting.spec?.volumes?.length, 1);
      assert.deepEqual(mounting.spec?.imagePullSecrets, [{ name: "own" }]);
    },
  },
  {
    name: "a pod of an account that is not there is refused",
    async run({ client, namespace }) {
      const create = client.create(Pod, { metadata: { name: "pod" }, spec: { ...spec, serviceAccountName: "nobody" } });
      const message = `error looking up service account ${namespace}/nobody: serviceaccount "nobody" not found`;
      await assert.rejects(create, { message: new RegExp(message) });
    },
  },
];
