import assert from "node:assert/strict";
import { join } from "node:path";
import { runCases } from "./cases.ts";

const chart = join(import.meta.dirname, "testdata/chart");

runCases("helm", {
  "a release is installed, upgraded, rolled back and removed": async ({ helm, kubectl }) => {
    const greeting = (): Promise<string> => kubectl.text("get cm shop-greeting -o jsonpath={.data.text}");
    assert.match(await helm.text(`install shop ${chart}`), /STATUS: deployed\nREVISION: 1\n/);
    assert.equal(await greeting(), "hello");
    assert.equal(await kubectl.text("get deploy shop -o jsonpath={.spec.replicas}"), "1");
    assert.equal(await kubectl.text("get svc shop -o jsonpath={.spec.ports[0].targetPort}"), "http");

    assert.match(
      await helm.text(`upgrade shop ${chart} --set greeting=goodbye --set replicas=3`),
      /STATUS: deployed\nREVISION: 2\n/,
    );
    assert.equal(await greeting(), "goodbye");
    assert.equal(await kubectl.text("get deploy shop -o jsonpath={.spec.replicas}"), "3");
    const [release] = JSON.parse(await helm.text("list -o json"));
    assert.deepEqual([release.name, release.revision, release.status], ["shop", "2", "deployed"]);
    assert.match(await helm.text("get values shop"), /greeting: goodbye\nreplicas: 3/);

    assert.match(await helm.text("rollback shop 1"), /Rollback was a success/);
    assert.equal(await greeting(), "hello");
    const history = JSON.parse(await helm.text("history shop -o json"));
    assert.deepEqual(
      history.map(({ revision, status }: { revision: number; status: string }) => `${revision} ${status}`),
      ["1 superseded", "2 superseded", "3 deployed"],
    );

    assert.match(await helm.text("uninstall shop"), /release "shop" uninstalled/);
    assert.equal(await kubectl.text("get deploy,svc,cm,sa -l app.kubernetes.io/instance=shop -o name"), "");
    assert.deepEqual(JSON.parse(await helm.text("list -o json")), []);
  },

  "an install that collides with objects of others is refused and leaves them alone": async ({ helm, kubectl }) => {
    await kubectl.text("create configmap shop-greeting --from-literal=text=mine");
    const { code, stderr } = await helm.run(`install shop ${chart}`);
    assert.equal(code, 1);
    assert.match(stderr, /ConfigMap "shop-greeting" in namespace .* exists and cannot be imported/);
    assert.equal(await kubectl.text("get cm shop-greeting -o jsonpath={.data.text}"), "mine");
  },

  "a chart that does not fit the API is refused": async ({ helm }) => {
    const { code, stderr } = await helm.run(`install shop ${chart} --set replicas=many`);
    assert.equal(code, 1);
    assert.match(stderr, /replicas/);
  },
});
