import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { run } from "../test/command-line.ts";
import { imageProject } from "../test/image-project.ts";

const crane = join(process.env["KUBEWRIGHT_PROGRAMS"] ?? "", "crane");

test("crane accepts the image, from its registry and from a tar archive", async () => {
  await using folder = await imageProject();
  const registry = spawn(crane, ["registry", "serve", "--address", "127.0.0.1:0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const [line] = await once(createInterface({ input: registry.stderr }), "line");
    const [, port = ""] = /(\d+)\s*$/.exec(line) ?? [];
    const image = `127.0.0.1:${port}/team/a:v1`;
    const settings = { folder: folder.path };
    const pushed = await run(settings, "image", "push", "--base", "oci:base", "--image", image, "-o", "json");
    assert.equal(pushed.exitCode, 0, pushed.stderr);
    assert.equal(execute("digest", "--insecure", image).trim(), JSON.parse(pushed.stdout).digest);
    assert.match(execute("validate", "--insecure", "--remote", image), /PASS/);
    const saved = await run(settings, "image", "save", "--base", image, "--platform", "linux/amd64");
    assert.equal(saved.exitCode, 0, saved.stderr);
    assert.match(execute("validate", "--tarball", join(folder.path, "dist/image.tar")), /PASS/);
  } finally {
    registry.kill("SIGTERM");
    await once(registry, "close");
  }
});

function execute(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(crane, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout + stderr;
}
