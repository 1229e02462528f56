import assert from "node:assert/strict";
import { test } from "node:test";
import { systemProcess } from "./system-process.ts";

const run = (script: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
  systemProcess.runProgram({ command: process.execPath, args: ["-e", script], env, interactive: false });

test("a program's output comes back, with its environment added to ours and no shell in between", async () => {
  const script = "process.stdout.write([process.env.GREETING, process.env.PATH === undefined, '$HOME'].join(' '))";
  assert.equal(await run(script, { GREETING: "hello; $(x)" }), "hello; $(x) false $HOME");
});

test("a program that may not ask finds nothing on its standard input", async () => {
  assert.equal(await run("process.stdin.resume().on('end', () => console.log('nothing'))"), "nothing\n");
});

test("S11: a program that fails is told by its end alone", async () => {
  const printing = "console.log('secret');";
  await assert.rejects(run(`${printing} process.exit(3)`), {
    message: /^executable .*node.* failed with exit code 3$/,
  });
  await assert.rejects(run(`${printing} process.kill(process.pid)`), { message: /failed with SIGTERM$/ });
  const missing = systemProcess.runProgram({ command: "/no/such/program", args: [], env: {}, interactive: false });
  await assert.rejects(missing, { message: "executable /no/such/program not found" });
});

test("a program that prints without end is ended", async () => {
  const endless = "const write = () => process.stdout.write('x'.repeat(65536), write); write();";
  await assert.rejects(run(endless), /printed more than 1048576 bytes/);
});
