import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type Ran, run } from "../../test/command-line.ts";
import { imageProject, writeBlob } from "../../test/image-project.ts";
import { startRegistry } from "../../test/registry.ts";
import { bundleOperator } from "./bundle-operator.ts";
import { blobOf, digestOf, type ImageConfig, type ImageIndex, type ImageManifest } from "./oci.ts";
import { createTar } from "./tar.ts";

test("an image has the base and one layer with the operator, runs as nobody, and says what is in it", async () => {
  await using folder = await imageProject();
  const built = await run(
    { folder: folder.path },
    "image",
    "build",
    "--base",
    "oci:base",
    "--label",
    "a=b",
    "-o",
    "json",
  );
  assert.equal(built.exitCode, 0, built.stderr);
  const { digest, platforms } = JSON.parse(built.stdout);
  assert.deepEqual(platforms, ["linux/amd64", "linux/arm64"]);
  const read = async <Document>(of: string): Promise<Document> =>
    JSON.parse(await readFile(join(folder.path, "dist/image/blobs/sha256", of.slice(7)), "utf8"));
  const layout: ImageIndex = JSON.parse(await readFile(join(folder.path, "dist/image/index.json"), "utf8"));
  assert.deepEqual(layout.manifests[0]?.annotations, {
    "io.containerd.image.name": "docker.io/library/a:v0.1.0",
    "org.opencontainers.image.ref.name": "v0.1.0",
  });
  const { manifests } = await read<ImageIndex>(digest);
  const manifest = await read<ImageManifest>(manifests[1]?.digest ?? "");
  const { config, architecture, rootfs } = await read<ImageConfig>(manifest.config.digest);
  assert.equal(architecture, "arm64");
  assert.equal(config?.User, "65532:65532");
  assert.deepEqual(config?.Env?.slice(0, 2), ["PATH=/bin", "NODE_ENV=production"]);
  assert.ok(config?.Env?.includes("MALLOC_TOP_PAD_=16384"));
  assert.deepEqual(config?.Labels?.["a"], "b");
  assert.equal(rootfs.diff_ids.length, 2);
  const packed = await readFile(
    join(folder.path, "dist/image/blobs/sha256", manifest.layers[1]?.digest.slice(7) ?? ""),
  );
  const tar = gunzipSync(packed);
  assert.equal(digestOf(tar), rootfs.diff_ids[1]);
  await writeFile(join(folder.path, "layer.tar"), tar);
  spawnSync("tar", ["xf", "layer.tar"], { cwd: folder.path });
  const sbom = JSON.parse(await readFile(join(folder.path, "app/sbom.cdx.json"), "utf8"));
  assert.ok(sbom.components.some(({ name }: { name: string }) => name === "zod"));
  const bundled = spawnSync(process.execPath, ["app/main.js", "--no-such-flag"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  assert.match(bundled.stderr, /unknown argument "--no-such-flag"; the flags are --kubeconfig/);
});

test("a bundle takes Node.js' modules when they are needed, of zod what is used, and its languages only when the project speaks of them", async () => {
  await using folder = await imageProject();
  const bundle = async (): Promise<string> => {
    const { exitCode, stderr } = await run({ folder: folder.path }, "image", "bundle", "--file", "main.js");
    assert.equal(exitCode, 0, stderr);
    return readFile(join(folder.path, "main.js"), "utf8");
  };
  const plain = await bundle();
  assert.ok(!/^import .*"node:/m.test(plain));
  assert.ok(plain.includes("Invalid input"));
  assert.ok(!plain.includes("erwartet"));
  assert.ok(!plain.includes("fromJSONSchema"));
  await writeFile(join(folder.path, "src/german.ts"), 'import { z } from "zod";\nz.config(z.locales.de());\n');
  const main = await readFile(join(folder.path, "src/main.ts"), "utf8");
  await writeFile(join(folder.path, "src/main.ts"), `import "./german.ts";\n${main}`);
  assert.ok((await bundle()).includes("erwartet"));
});

test("two builds of the same sources give the same digest, in another folder, too", async () => {
  await using first = await imageProject();
  await using second = await imageProject();
  const build = async (path: string): Promise<string> => {
    const { stdout } = await run({ folder: path }, "image", "build", "--base", "base", "-o", "json");
    return JSON.parse(stdout).digest;
  };
  assert.equal(await build(first.path), await build(second.path));
  assert.equal(await build(first.path), await build(first.path));
});

test("where the project lies and where its packages are linked from is not in the bundle", async () => {
  await using shallow = await imageProject();
  const deep = join(shallow.path, "a/b/c");
  for (const name of ["src", "package.json", "kubewright.config.ts"]) {
    await cp(join(shallow.path, name), join(deep, name), { recursive: true });
  }
  await symlink(await realpath(join(shallow.path, "node_modules")), join(deep, "node_modules"));
  const { code, packages } = await bundleOperator(shallow.path);
  const other = await bundleOperator(deep);
  assert.ok(Buffer.from(code).equals(other.code));
  assert.deepEqual(other.packages, packages);
  assert.doesNotMatch(Buffer.from(code).toString(), /^(?:\/\/ | +")\.\.\//m);
  assert.ok(packages.some(({ name }) => name === "@kubewright/runtime"));
});

test("an image is pushed whole, the second time only what is new, and with docker's credentials", async () => {
  await using folder = await imageProject();
  await using registry = await startRegistry({ user: "user", password: "secret" });
  const name = `${registry.host}/team/a:v1`;
  const push = (env: Record<string, string>): Promise<Ran> =>
    run({ folder: folder.path, env }, "image", "push", "--base", "oci:base", "--image", name);
  const refused = await push({ HOME: folder.path });
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /refuses access to team\/a \(401\)\n {2}log in: docker login/);
  const auth = Buffer.from("user:secret").toString("base64");
  await writeFile(join(folder.path, "config.json"), JSON.stringify({ auths: { [registry.host]: { auth } } }));
  const pushed = await push({ DOCKER_CONFIG: folder.path });
  assert.equal(pushed.exitCode, 0, pushed.stderr);
  assert.match(pushed.stdout, /\(5 blobs sent\)/);
  assert.match((await push({ DOCKER_CONFIG: folder.path })).stdout, /\(0 blobs sent\)/);
  const index = JSON.parse(new TextDecoder().decode(registry.manifest("team/a", "v1")));
  assert.equal(index.manifests.length, 2);
  for (const { digest } of index.manifests) {
    const { config, layers } = JSON.parse(new TextDecoder().decode(registry.manifest("team/a", digest)));
    for (const each of [config, ...layers]) assert.ok(registry.blobs.has(each.digest));
  }
  const again = await run(
    { folder: folder.path, env: { DOCKER_CONFIG: folder.path } },
    "image",
    "save",
    "--base",
    name,
    "--platform",
    "linux/arm64",
    "--file",
    "a.tar",
  );
  assert.equal(again.exitCode, 0, again.stderr);
  const listed = spawnSync("tar", ["tf", "a.tar"], { cwd: folder.path, encoding: "utf8" }).stdout;
  assert.match(listed, /^manifest\.json$/m);
  assert.match(listed, /^oci-layout$/m);
});

test("a base that is not there, lacks the platform or was changed is told", async () => {
  await using folder = await imageProject();
  await using registry = await startRegistry({});
  const build = async (...args: string[]): Promise<string> =>
    (await run({ folder: folder.path }, "image", "build", ...args)).stderr;
  assert.match(await build("--base", `${registry.host}/no/base:v1`), /has no no\/base:v1\n {2}look at the name/);
  assert.match(await build("--base", "oci:nowhere"), /is no OCI layout: it has no index\.json/);
  assert.match(
    await build("--base", "oci:base", "--platform", "linux/s390x"),
    /has no linux\/s390x\n {2}it has linux\/amd64, linux\/arm64/,
  );
  assert.match(await build("--base", "127.0.0.1:1/a"), /the registry 127\.0\.0\.1:1 does not answer/);
  assert.match(await build("--base", "Not A Name"), /is no name of an image/);
  const { manifests } = JSON.parse(await readFile(join(folder.path, "base/index.json"), "utf8"));
  await writeBlob(folder.path, manifests[0].digest, Buffer.from("{}"));
  assert.match(await build("--base", "oci:base"), /has other bytes than its digest says/);
});

test("a folder is a base of one layer, with the modes of its files; links are refused", async () => {
  await using folder = await imageProject();
  await mkdir(join(folder.path, "root/bin"), { recursive: true });
  await writeFile(join(folder.path, "root/bin/node"), "program");
  await chmod(join(folder.path, "root/bin/node"), 0o755);
  const build = (): Promise<Ran> =>
    run({ folder: folder.path }, "image", "build", "--base", "folder:root", "--platform", "linux/arm64", "-o", "json");
  const built = await build();
  assert.equal(built.exitCode, 0, built.stderr);
  const { digest, platforms } = JSON.parse(built.stdout);
  assert.deepEqual(platforms, ["linux/arm64"]);
  const blobs = join(folder.path, "dist/image/blobs/sha256");
  const { layers }: ImageManifest = JSON.parse(await readFile(join(blobs, digest.slice(7)), "utf8"));
  const listed = spawnSync("tar", ["tvzf", join(blobs, layers[0]?.digest.slice(7) ?? "")], { encoding: "utf8" }).stdout;
  assert.match(listed, /^-rwxr-xr-x .* bin\/node$/m);
  await symlink("/etc/passwd", join(folder.path, "root/passwd"));
  assert.match((await build()).stdout, /root\/passwd is a link; a base from a folder has plain files only/);
});

test("names longer than a tar header holds are kept whole", () => {
  const path = `${"a/".repeat(80)}b`;
  const tar = createTar([{ path, content: Buffer.from("x") }]);
  const { stdout } = spawnSync("tar", ["tf", "-"], { input: tar, encoding: "utf8" });
  assert.equal(stdout.trim(), path);
  assert.equal(blobOf(tar, "x").descriptor.size, tar.length);
});
