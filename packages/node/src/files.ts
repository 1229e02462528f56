/** The files port on the machine's file system. Its module is loaded with the first use: not every program that starts has one. */
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Files } from "@kubewright/core/ports";

/** The machine's file system. A write is complete on disk before it takes the file's place. */
export const systemFiles: Files = {
  async read(path) {
    const { readFile } = await import("node:fs/promises");
    try {
      return new Uint8Array(await readFile(path));
    } catch (error) {
      if (isNoFile(error)) return undefined;
      throw error;
    }
  },
  async write(path, content, { mode = 0o644 } = {}) {
    const { mkdir, rename, rm } = await import("node:fs/promises");
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}`);
    try {
      await writeThrough(temporary, content, mode);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
};

async function writeThrough(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const { open } = await import("node:fs/promises");
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
