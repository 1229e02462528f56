import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { asksForHelp, formatFlags, parseFlags } from "./flags.ts";

test("without flags the usual addresses are served and all namespaces followed", () => {
  const flags = parseFlags([], {});
  assert.equal(flags.metricsBindAddress, ":8080");
  assert.equal(flags.healthProbeBindAddress, ":8081");
  assert.deepEqual(flags.namespaces, []);
  assert.equal(flags.leaderElect, false);
});

test("flags are written as controller-runtime's operators have them", () => {
  const flags = parseFlags(
    ["--leader-elect", "--metrics-bind-address=:9090", "--kubeconfig", "/k", "--namespace=a, b"],
    {},
  );
  assert.equal(flags.leaderElect, true);
  assert.equal(flags.metricsBindAddress, ":9090");
  assert.equal(flags.kubeconfig, "/k");
  assert.deepEqual(flags.namespaces, ["a", "b"]);
});

test("WATCH_NAMESPACE is used unless a flag says otherwise", () => {
  assert.deepEqual(parseFlags([], { WATCH_NAMESPACE: "a,b" }).namespaces, ["a", "b"]);
  assert.deepEqual(parseFlags(["--namespace=c"], { WATCH_NAMESPACE: "a,b" }).namespaces, ["c"]);
});

test("an unknown flag is refused with those there are, and values are checked", () => {
  assert.throws(() => parseFlags(["--leader"], {}), /unknown argument "--leader"; the flags are --kubeconfig, /);
  assert.throws(() => parseFlags(["--kubeconfig"], {}), /--kubeconfig needs a value/);
  assert.throws(() => parseFlags(["--leader-elect=perhaps"], {}), /^Error: --leader-elect is either true or false/);
  assert.throws(() => parseFlags(["--log-level=loud"], {}), /debug, info, warn or error/);
  for (const text of ["soon", "30", "-1s", ""]) {
    const expected = `--graceful-shutdown-timeout is a duration like 30s or 1m30s, not "${text}"`;
    assert.throws(() => parseFlags([`--graceful-shutdown-timeout=${text}`], {}), { message: expected });
  }
});

for (const [args, env, expected] of [
  [["--namespace=shop,A_B"], {}, /^Error: --namespace cannot be "A_B": a lowercase RFC 1123 label must consist of .*$/],
  [["--namespace=a.b"], {}, /^Error: --namespace cannot be "a\.b": must not contain dots$/],
  [[], { WATCH_NAMESPACE: "A_B" }, /^Error: WATCH_NAMESPACE cannot be "A_B": a lowercase RFC 1123 label must/],
  [
    ["--leader-election-id=A_B"],
    {},
    /^Error: --leader-election-id cannot be "A_B": a lowercase RFC 1123 subdomain must/,
  ],
  [
    ["--leader-election-namespace="],
    {},
    /^Error: --leader-election-namespace cannot be "": a lowercase RFC 1123 label/,
  ],
  [[`--leader-election-namespace=${"a".repeat(64)}`], {}, /a": must be no more than 63 characters$/],
] as const) {
  test(`a name that Kubernetes does not take is refused with the rule: ${args} ${JSON.stringify(env)}`, () => {
    assert.throws(() => parseFlags(args, env), expected);
  });
}

test("names that Kubernetes takes are taken, and a flag goes before an environment that is wrong", () => {
  const args = ["--leader-election-id=shop.example.com", "--leader-election-namespace=ops", "--namespace=shop"];
  const flags = parseFlags(args, { WATCH_NAMESPACE: "A_B" });
  assert.equal(flags.leaderElectionId, "shop.example.com");
  assert.deepEqual(flags.namespaces, ["shop"]);
  assert.deepEqual(parseFlags(["--namespace="], {}).namespaces, []);
});

test("help tells every flag that is understood, with its default", () => {
  assert.ok(asksForHelp(["--leader-elect", "--help"]));
  assert.ok(!asksForHelp(["--leader-elect"]));
  const text = formatFlags({ metricsBindAddress: ":9090" });
  const names = [...text.matchAll(/^ {2}(--[a-z-]+)(?: <\w+>)?/gm)].map(([, name = ""]) => name);
  assert.ok(names.length >= 14);
  for (const name of names) {
    try {
      parseFlags([name, "value"], {});
    } catch (error) {
      assert.doesNotMatch(String(error), new RegExp(`unknown argument "${name}"`));
    }
  }
  assert.match(text, /--metrics-bind-address <text> +where \/metrics is served; 0 for nowhere \(:9090\)/);
  assert.match(text, /--log-level <text> +debug, info, warn or error \(info\)/);
});

test("the documentation tells the flags that there are, and no others", async () => {
  const text = await readFile(new URL("../../../../docs/runtime.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| flag \| default \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? [];
  const rows = table.trimEnd().split("\n");
  const told = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/--[a-z-]+/g)].map(([name]) => name));
  const known = [...formatFlags().matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
  assert.deepEqual(told.sort(), [...known, "--help"].sort());
});
