/** The files port on the machine's file system. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Files } from "@kubewright/core/ports";

/** The machine's file system. A write is complete on disk before it takes the file's place. */
export const systemFiles: Files = {
  async read(path) {
    try {
      return new Uint8Array(await readFile(path));
    } catch (error) {
      if (isNoFile(error)) return undefined;
      throw error;
    }
  },
  async write(path, content, { mode = 0o644 } = {}) {
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
