import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../test/command-line.ts";
import { COMMANDS } from "../commands.ts";

const here = { folder: import.meta.dirname };

test("every command has help with sentences, its flags, examples and the exit codes", async () => {
  for (const { name, summary, examples } of COMMANDS) {
    const { exitCode, stdout } = await run(here, ...name.split(" "), "--help");
    assert.equal(exitCode, 0);
    assert.match(stdout, new RegExp(`^Usage: kubewright ${name}`));
    assert.match(stdout, /^\n[A-Z][\s\S]*?\.\n\n(?:Arguments|Options):\n/m);
    assert.match(stdout, /--output <format>/);
    assert.match(stdout, /\nExit codes: 0 done/);
    assert.ok(summary.length > 0 && examples.length > 0, name);
    for (const example of examples) assert.ok(stdout.includes(example), `${name}: ${example}`);
  }
});

test("the README names every command, and no other", async () => {
  const text = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
  const named = [...text.matchAll(/^\| `kubewright ([a-z -]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});

test("the list of commands tells them and their groups in one form, and the exit codes", async () => {
  const { stdout } = await run(here, "--help");
  assert.match(stdout, /^ {2}create {2,}add parts to a project\n/m);
  assert.match(stdout, /Exit codes: 0 done/);
});

test("an unknown command, flag or value is a wrong command line with where to look", async () => {
  const command = await run(here, "inti");
  assert.deepEqual([command.exitCode, command.stdout], [2, ""]);
  assert.match(command.stderr, /unknown command 'inti'\n\(Did you mean init\?\)\n {2}kubewright --help/);
  const flag = await run(here, "version", "--colour");
  assert.match(flag.stderr, /unknown option '--colour'\n {2}kubewright version --help/);
  const value = await run(here, "version", "-o", "xml");
  assert.match(value.stderr, /'xml' is invalid\. Allowed choices are text, json/);
  assert.equal(value.exitCode, 2);
});

test("all flags that are missing are told at once, and help says which are required", async () => {
  const { exitCode, stderr } = await run(here, "create", "api", "--version", "v1");
  assert.equal(exitCode, 2);
  assert.equal(
    stderr,
    "error: create api is missing --group <group>, --kind <kind>\n  kubewright create api --help shows what there is",
  );
  assert.match((await run(here, "create", "api", "--help")).stdout, /--kind <kind> .* \(required\)/);
});

test("arguments that a command does not take are named, with its usage", async () => {
  const several = await run(here, "plan", "a", "b c");
  assert.equal(several.exitCode, 2);
  assert.equal(several.stderr, 'error: plan has surplus arguments: "a", "b c"\n  usage: kubewright plan [options]');
  const { stderr } = await run(here, "init", "a", "b", "--dry-run");
  assert.equal(stderr, 'error: init has a surplus argument: "b"\n  usage: kubewright init [options] [folder]');
});

test("a hint at help names the command alone, in JSON too", async () => {
  const { stderr } = await run(here, "create", "api", "more", "--colour");
  assert.match(stderr, /'--colour'\n {2}kubewright create api --help shows what there is$/);
  const { stdout } = await run(here, "diff", "--colour", "-o", "json");
  assert.equal(JSON.parse(stdout).error.remedy, "kubewright diff --help shows what there is");
});

test("results and errors are JSON when asked for", async () => {
  const { stdout } = await run(here, "version", "-o", "json");
  assert.equal(JSON.parse(stdout).kubewright, "0.1.0");
  const failed = await run(here, "edit", "--image", "x", "-o", "json");
  assert.equal(failed.exitCode, 1);
  const { error } = JSON.parse(failed.stdout);
  assert.match(error.message, /is no Kubewright project/);
  assert.match(error.remedy, /kubewright init/);
});

test("completions know commands and flags", async () => {
  const script = (await run(here, "completion", "bash")).stdout;
  const probe = `${script}\nCOMP_WORDS=(kubewright create api --k); COMP_CWORD=3; _kubewright; echo "\${COMPREPLY[@]}"`;
  assert.equal(spawnSync("bash", ["-c", probe], { encoding: "utf8" }).stdout.trim(), "--kind");
  const second = `${script}\nCOMP_WORDS=(kubewright delete ""); COMP_CWORD=2; _kubewright; echo "\${COMPREPLY[@]}"`;
  assert.equal(spawnSync("bash", ["-c", second], { encoding: "utf8" }).stdout.trim(), "api");
  assert.match(
    (await run(here, "completion", "fish")).stdout,
    /complete -c kubewright -n __fish_use_subcommand -a init/,
  );
  assert.match(
    (await run(here, "completion", "tcsh")).stderr,
    /no completions for "tcsh"\n {2}choose bash, zsh or fish/,
  );
});
