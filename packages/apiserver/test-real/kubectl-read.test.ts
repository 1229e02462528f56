import assert from "node:assert/strict";
import { parseTable, runCases } from "./cases.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: "nginx:1" }] },
};

runCases("read", {
  "get shows the columns of a kind, more of them when wide": async ({ kubectl }) => {
    await kubectl.text("create -f -", { input: pod });
    const [header, row] = parseTable(await kubectl.text("get pods"));
    assert.deepEqual(header, ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]);
    assert.deepEqual(row?.slice(0, 4), ["web", "0/1", "Pending", "0"]);
    const [wide, wideRow] = parseTable(await kubectl.text("get pods -o wide"));
    assert.deepEqual(wide?.slice(5), ["IP", "NODE", "NOMINATED NODE", "READINESS GATES"]);
    assert.deepEqual(wideRow?.slice(5), ["<none>", "<none>", "<none>", "<none>"]);
  },

  "get selects by label, field and name, sorts, and prints in every form": async ({ kubectl, namespace }) => {
    for (const [name, value] of [
      ["b", "1"],
      ["a", "2"],
    ]) {
      await kubectl.text(`create configmap ${name} --from-literal=key=${value}`);
      await kubectl.text(`label configmap ${name} letter=${name}`);
    }
    assert.equal(await kubectl.text("get cm -l letter=a -o name"), "configmap/a\n");
    assert.equal(await kubectl.text("get cm --field-selector metadata.name=b -o name"), "configmap/b\n");
    assert.equal(await kubectl.text("get cm a -o jsonpath={.data.key}"), "2");
    assert.equal(
      await kubectl.text("get cm -l letter --sort-by=.data.key -o custom-columns=N:.metadata.name --no-headers"),
      "b\na\n",
    );
    const [header, ...rows] = parseTable(await kubectl.text("get cm -l letter --sort-by=.data.key"));
    assert.deepEqual(header, ["NAME", "DATA", "AGE"]);
    assert.deepEqual(
      rows.map(([name]) => name),
      ["b", "a"],
    );
    const everywhere = parseTable(await kubectl.text("get cm -A -l letter=a"));
    assert.ok(everywhere.some(([where, name]) => where === namespace && name === "a"));
    assert.equal(JSON.parse(await kubectl.text("get cm a -o json")).kind, "ConfigMap");
    assert.match(await kubectl.text("get cm a -o yaml"), /^apiVersion: v1\ndata:\n {2}key: "2"\nkind: ConfigMap/);
  },

  "get says what is not there": async ({ kubectl }) => {
    const missing = await kubectl.run("get cm nothing");
    assert.equal(missing.code, 1);
    assert.equal(missing.stderr, 'Error from server (NotFound): configmaps "nothing" not found\n');
    const unknown = await kubectl.run("get nothings");
    assert.equal(unknown.stderr, 'error: the server doesn\'t have a resource type "nothings"\n');
  },

  "get -w shows each change as a row": async ({ kubectl }) => {
    await kubectl.text("create configmap first");
    let created = false;
    const { stdout } = await kubectl.run(
      "get cm -w --output-watch-events --field-selector metadata.name!=kube-root-ca.crt",
      {
        onOutput: (text) => {
          if (created || !/^ADDED +first.*\n/m.test(text)) return;
          created = true;
          void kubectl.run("create configmap second").then(() => kubectl.run("delete configmap first"));
        },
        until: (text) => /^DELETED.*\n/m.test(text),
      },
    );
    const [header, ...rows] = parseTable(stdout);
    assert.deepEqual(header, ["EVENT", "NAME", "DATA", "AGE"]);
    assert.deepEqual(
      rows.map(([event, name]) => `${event} ${name}`),
      ["ADDED first", "ADDED second", "DELETED first"],
    );
  },

  "describe shows an object and its events": async ({ kubectl, namespace }) => {
    await kubectl.text("create -f -", { input: pod });
    const uid = await kubectl.text("get pod web -o jsonpath={.metadata.uid}");
    await kubectl.text("create -f -", {
      input: {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "web.1" },
        involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name: "web", uid },
        type: "Warning",
        reason: "Tested",
        message: "it was looked at",
        source: { component: "suite" },
        count: 1,
        firstTimestamp: "2026-01-02T03:04:05Z",
        lastTimestamp: "2026-01-02T03:04:05Z",
      },
    });
    const text = await kubectl.text("describe pod web");
    assert.match(text, /^Name: +web\nNamespace: +/);
    assert.match(text, /QoS Class: +BestEffort/);
    assert.match(text, /Warning +Tested .* suite +it was looked at/);
    assert.match(await kubectl.text("events --for pod/web"), /Warning +Tested +Pod\/web +it was looked at/);
  },

  "explain knows the fields of built-in kinds": async ({ kubectl }) => {
    const replicas = await kubectl.text("explain deployment.spec.replicas");
    assert.match(replicas, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: replicas <integer>/);
    assert.match(await kubectl.text("explain pod.spec.containers.ports"), /protocol\t<string>\n +enum: SCTP, TCP, UDP/);
    const all = await kubectl.text("explain service --recursive");
    assert.match(all, /FIELDS:\n {2}apiVersion\t<string>\n {2}kind\t<string>\n {2}metadata\t<ObjectMeta>/);
    assert.match(all, /targetPort\t<IntOrString>/);
  },

  "api-resources and api-versions tell what is served": async ({ kubectl }) => {
    const table = parseTable(await kubectl.text("api-resources --api-group=apps --no-headers"));
    assert.deepEqual(
      table.map((row) => row.join(" ")),
      [
        "controllerrevisions apps/v1 true ControllerRevision",
        "daemonsets ds apps/v1 true DaemonSet",
        "deployments deploy apps/v1 true Deployment",
        "replicasets rs apps/v1 true ReplicaSet",
        "statefulsets sts apps/v1 true StatefulSet",
      ],
    );
    const versions = (await kubectl.text("api-versions")).split("\n");
    for (const version of ["v1", "apps/v1", "autoscaling/v2", "apiextensions.k8s.io/v1"]) {
      assert.ok(versions.includes(version), version);
    }
  },

  "version and raw paths answer": async ({ kubectl }) => {
    assert.match(await kubectl.text("version"), /Server Version: v1\.36\.3/);
    assert.equal(await kubectl.text("get --raw /readyz"), "ok");
    assert.equal(JSON.parse(await kubectl.text("get --raw /api")).kind, "APIVersions");
  },
});
