import assert from "node:assert/strict";
import { runCases } from "./cases.ts";

runCases("access", {
  "auth can-i answers for oneself and for others": async ({ kubectl }) => {
    assert.equal((await kubectl.run("auth can-i create pods")).stdout, "yes\n");
    const other = await kubectl.run("auth can-i create pods --as=someone");
    assert.deepEqual([other.stdout, other.code], ["no\n", 1]);
    await kubectl.text("create role reader --verb=get,list --resource=pods");
    await kubectl.text("create rolebinding reader --role=reader --user=someone");
    assert.equal((await kubectl.run("auth can-i list pods --as=someone")).stdout, "yes\n");
    assert.equal((await kubectl.run("auth can-i delete pods --as=someone")).stdout, "no\n");
    assert.match(await kubectl.text("auth can-i --list --as=someone"), /^pods +\[\] +\[\] +\[get list\]$/m);
  },

  "--as acts with the rights of another": async ({ kubectl, namespace }) => {
    const refused = await kubectl.run("get secrets --as=someone");
    assert.equal(
      refused.stderr,
      `Error from server (Forbidden): secrets is forbidden: User "someone" cannot list resource "secrets" in API group "" in the namespace "${namespace}"\n`,
    );
    await kubectl.text("create role viewer --verb=list --resource=configmaps");
    await kubectl.text("create rolebinding viewers --role=viewer --group=readers");
    assert.equal((await kubectl.run("get configmaps --as=someone --as-group=readers")).code, 0);
    assert.equal((await kubectl.run("get secrets --as=someone --as-group=readers")).code, 1);
  },

  "whoami names the user and its groups": async ({ kubectl }) => {
    const text = await kubectl.text("auth whoami --as=someone --as-group=readers");
    assert.match(text, /Username +someone/);
    assert.match(text, /Groups +\[readers system:authenticated\]/);
  },

  "a token acts as its service account": async ({ kubectl, namespace }) => {
    await kubectl.text("create serviceaccount robot");
    const token = (await kubectl.text("create token robot")).trim();
    assert.equal(token.split(".").length, 3);
    const env = { KUBECONFIG: "/dev/null" };
    const server = await kubectl.text(["config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"]);
    const flags = [`--server=${server}`, "--insecure-skip-tls-verify", `--token=${token}`];
    const who = await kubectl.text(["auth", "whoami", ...flags], { env });
    assert.match(who, new RegExp(`Username +system:serviceaccount:${namespace}:robot`));
    const refused = await kubectl.run(["get", "pods", ...flags], { env });
    assert.match(refused.stderr, /cannot list resource "pods"/);
  },
});
