import assert from "node:assert/strict";
import { parseTable, runCases } from "./cases.ts";

function deployment(replicas: number, container: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "nginx:1", ...container }] },
      },
    },
  };
}

function configMap(data: Record<string, string>): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config" }, data };
}

runCases("write", {
  "apply creates, changes, leaves alone, and removes what is no longer wanted": async ({ kubectl }) => {
    const apply = (input: object): Promise<string> => kubectl.text("apply -f -", { input });
    assert.equal(await apply(configMap({ a: "1", b: "2" })), "configmap/config created\n");
    assert.equal(await apply(configMap({ a: "1", b: "2" })), "configmap/config unchanged\n");
    await kubectl.text(["patch", "cm", "config", "-p", '{"data":{"theirs":"3"}}']);
    assert.equal(await apply(configMap({ a: "9" })), "configmap/config configured\n");
    assert.equal(await kubectl.text("get cm config -o jsonpath={.data}"), '{"a":"9","theirs":"3"}');
  },

  "apply merges lists of built-in kinds by their keys": async ({ kubectl }) => {
    const apply = (input: object): Promise<string> => kubectl.text("apply -f -", { input });
    await apply(deployment(1, { ports: [{ containerPort: 80 }], env: [{ name: "A", value: "1" }] }));
    const patch = { spec: { template: { spec: { containers: [{ name: "c", env: [{ name: "B", value: "2" }] }] } } } };
    await kubectl.text(["patch", "deploy", "web", "-p", JSON.stringify(patch)]);
    await apply(deployment(2, { ports: [{ containerPort: 81 }], env: [{ name: "A", value: "3" }] }));
    const object = JSON.parse(await kubectl.text("get deploy web -o json"));
    const [container] = object.spec.template.spec.containers;
    assert.equal(object.spec.replicas, 2);
    assert.deepEqual(container.ports, [{ containerPort: 81, protocol: "TCP" }]);
    assert.deepEqual(
      container.env.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`).sort(),
      ["A=3", "B=2"],
    );
  },

  "unknown fields are refused": async ({ kubectl }) => {
    const { code, stderr } = await kubectl.run("apply -f -", { input: { ...configMap({}), dta: {} } });
    assert.equal(code, 1);
    assert.match(stderr, /strict decoding error: unknown field "dta"/);
    const { stderr: warning, code: done } = await kubectl.run("apply --validate=warn -f -", {
      input: { ...configMap({}), dta: {} },
    });
    assert.equal(done, 0);
    assert.match(warning, /Warning: unknown field "dta"/);
  },

  "a dry run changes nothing": async ({ kubectl }) => {
    const output = await kubectl.text("apply --dry-run=server -f -", { input: configMap({}) });
    assert.equal(output, "configmap/config created (server dry run)\n");
    assert.equal((await kubectl.run("get cm config")).code, 1);
  },

  "apply --server-side shares objects between managers": async ({ kubectl }) => {
    const apply = (manager: string, input: object, flags: readonly string[] = []) =>
      kubectl.run(["apply", "--server-side", `--field-manager=${manager}`, ...flags, "-f", "-"], { input });
    assert.equal((await apply("one", configMap({ a: "1" }))).stdout, "configmap/config serverside-applied\n");
    const conflict = await apply("two", configMap({ a: "2" }));
    assert.equal(conflict.code, 1);
    assert.match(conflict.stderr, /Apply failed with 1 conflict: conflict with "one": \.data\.a/);
    assert.equal((await apply("two", configMap({ a: "2" }), ["--force-conflicts"])).code, 0);
    assert.equal((await apply("two", configMap({ b: "3" }))).code, 0);
    assert.equal(await kubectl.text("get cm config -o jsonpath={.data}"), '{"b":"3"}');
    const fields = await kubectl.text(
      "get cm config --show-managed-fields -o jsonpath={.metadata.managedFields[*].manager}",
    );
    assert.equal(fields, "two");
  },

  "apply --server-side takes over what apply wrote": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: deployment(1) });
    await kubectl.text("apply --server-side -f -", { input: deployment(2) });
    assert.equal(await kubectl.text("get deploy web -o jsonpath={.spec.replicas}"), "2");
  },

  "diff shows what apply would change": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: deployment(1) });
    assert.equal((await kubectl.run("diff -f -", { input: deployment(1) })).code, 0);
    const { code, stdout } = await kubectl.run("diff -f -", { input: deployment(4) });
    assert.equal(code, 1);
    assert.match(stdout, /^- {2}replicas: 1$/m);
    assert.match(stdout, /^\+ {2}replicas: 4$/m);
    const serverSide = await kubectl.run("diff --server-side --force-conflicts -f -", { input: deployment(5) });
    assert.match(serverSide.stdout, /^\+ {2}replicas: 5$/m);
  },

  "edit saves what the editor wrote": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: configMap({ a: "before" }) });
    const env = { KUBE_EDITOR: "sed -i s/before/after/g" };
    assert.equal(await kubectl.text("edit cm config", { env }), "configmap/config edited\n");
    assert.equal(await kubectl.text("get cm config -o jsonpath={.data.a}"), "after");
  },

  "patch merges in every way": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: deployment(1) });
    const patch = async (type: string, body: unknown): Promise<void> => {
      await kubectl.text(["patch", "deploy", "web", `--type=${type}`, "-p", JSON.stringify(body)]);
    };
    await patch("strategic", { spec: { template: { spec: { containers: [{ name: "side", image: "side" }] } } } });
    assert.equal(await kubectl.text("get deploy web -o jsonpath={.spec.template.spec.containers[*].name}"), "side c");
    await patch("merge", { spec: { template: { spec: { containers: [{ name: "only", image: "only" }] } } } });
    assert.equal(await kubectl.text("get deploy web -o jsonpath={.spec.template.spec.containers[*].name}"), "only");
    await patch("json", [{ op: "replace", path: "/spec/replicas", value: 7 }]);
    assert.equal(await kubectl.text("get deploy web -o jsonpath={.spec.replicas}"), "7");
  },

  "label, annotate, scale and set image change one thing each": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: deployment(1) });
    assert.equal(await kubectl.text("label deploy web tier=front"), "deployment.apps/web labeled\n");
    assert.equal(await kubectl.text("label deploy web tier-"), "deployment.apps/web unlabeled\n");
    assert.match((await kubectl.run("label deploy web app=other")).stderr, /already has a value \(web\)/);
    assert.equal(await kubectl.text("annotate deploy web note=x"), "deployment.apps/web annotated\n");
    assert.equal(await kubectl.text("scale deploy web --replicas=3"), "deployment.apps/web scaled\n");
    assert.equal(await kubectl.text("set image deploy/web c=nginx:2"), "deployment.apps/web image updated\n");
    const [, row] = parseTable(await kubectl.text("get deploy web -o wide"));
    assert.deepEqual([row?.[1], ...(row?.slice(5) ?? [])], ["0/3", "c", "nginx:2", "app=web"]);
    const refused = await kubectl.run("scale deploy web --current-replicas=9 --replicas=1");
    assert.match(refused.stderr, /Expected replicas to be 9, was 3/);
  },

  "wait sees conditions, values and the end of objects": async ({ kubectl }) => {
    await kubectl.text("apply -f -", { input: deployment(1) });
    const status = { status: { replicas: 1, conditions: [{ type: "Available", status: "True" }] } };
    const waiting = kubectl.text("wait --for=condition=Available deploy/web --timeout=20s");
    await kubectl.text([
      "patch",
      "deploy",
      "web",
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify(status),
    ]);
    assert.equal(await waiting, "deployment.apps/web condition met\n");
    assert.equal(
      await kubectl.text("wait --for=jsonpath={.status.replicas}=1 deploy/web --timeout=20s"),
      "deployment.apps/web condition met\n",
    );
    const gone = kubectl.text("wait --for=delete deploy/web --timeout=20s");
    await kubectl.text("delete deploy web");
    assert.match(await gone, /^(?:deployment\.apps\/web condition met\n)?$/);
    assert.match((await kubectl.run("wait --for=condition=Ready cm/none --timeout=1s")).stderr, /NotFound/);
  },

  "delete waits for finalizers and follows the cascade": async ({ kubectl }) => {
    const held = { ...configMap({}), metadata: { name: "held", finalizers: ["example.com/hold"] } };
    await kubectl.text("create -f -", { input: held });
    const deleting = kubectl.run("delete cm held --timeout=20s");
    await kubectl.text("wait --for=jsonpath={.metadata.deletionTimestamp} cm/held --timeout=20s");
    await kubectl.text(["patch", "cm", "held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}']);
    const { code, stdout } = await deleting;
    assert.equal(code, 0);
    assert.match(stdout, /^configmap "held" deleted/);
    for (const [cascade, finalizer] of [
      ["foreground", "foregroundDeletion"],
      ["orphan", "orphan"],
    ]) {
      await kubectl.text("apply -f -", { input: { ...deployment(1), metadata: { name: `web-${cascade}` } } });
      await kubectl.text(`delete deploy web-${cascade} --cascade=${cascade} --wait=false`);
      assert.equal(
        await kubectl.text(`get deploy web-${cascade} -o jsonpath={.metadata.finalizers[*]}`),
        finalizer,
        cascade,
      );
    }
    await kubectl.text("apply -f -", { input: configMap({}) });
    assert.match(await kubectl.text("delete -f -", { input: configMap({}) }), /^configmap "config" deleted/);
    assert.equal((await kubectl.run("delete cm config")).code, 1);
    assert.equal((await kubectl.run("delete cm config --ignore-not-found")).code, 0);
  },

  "create and replace say what is in the way": async ({ kubectl }) => {
    await kubectl.text("create -f -", { input: configMap({ a: "1" }) });
    const again = await kubectl.run("create -f -", { input: configMap({}) });
    assert.match(again.stderr, /Error from server \(AlreadyExists\): .*configmaps "config" already exists/);
    assert.equal(await kubectl.text("replace -f -", { input: configMap({ a: "2" }) }), "configmap/config replaced\n");
    const invalid = await kubectl.run("create -f -", { input: { ...configMap({}), metadata: { name: "Not_Valid" } } });
    assert.match(invalid.stderr, /The ConfigMap "Not_Valid" is invalid: metadata\.name: Invalid value: "Not_Valid"/);
  },

  "generators make objects that the server takes": async ({ kubectl }) => {
    assert.equal(
      await kubectl.text("create deployment web --image=nginx --replicas=2"),
      "deployment.apps/web created\n",
    );
    assert.equal(await kubectl.text("expose deployment web --port=80"), "service/web exposed\n");
    assert.equal(await kubectl.text("create secret generic s --from-literal=a=b"), "secret/s created\n");
    assert.equal(await kubectl.text("run once --image=busybox --restart=Never"), "pod/once created\n");
    assert.equal(await kubectl.text("create job j --image=busybox"), "job.batch/j created\n");
    assert.match(
      await kubectl.text("autoscale deployment web --max=5"),
      /horizontalpodautoscaler\.autoscaling\/web autoscaled/,
    );
    const [header, row] = parseTable(await kubectl.text("get service web"));
    assert.deepEqual(header, ["NAME", "TYPE", "CLUSTER-IP", "EXTERNAL-IP", "PORT(S)", "AGE"]);
    assert.equal(row?.[1], "ClusterIP");
    assert.match(row?.[2] ?? "", /^10\.0\.0\.\d+$/);
    assert.deepEqual([row?.[3], row?.[4]], ["<none>", "80/TCP"]);
    assert.match(await kubectl.text("get secret s"), /^NAME +TYPE +DATA +AGE\ns +Opaque +1 /);
  },
});
