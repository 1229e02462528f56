/**
 * The files that a context's cluster and user name, such as certificates. One that cannot be read when the process starts is a mistake,
 * and refused, for no request could be sent. What goes away later (a rotation) fails requests until it is back (credentials.ts).
 */
import type { Files } from "@kubewright/core/ports";
import { configurationError } from "./configuration-error.ts";
import { FILE_FIELDS, type Kubeconfig, type KubeconfigContext } from "./kubeconfig.ts";

/** Throws for the first file that cannot be read. What stands in the kubeconfig itself (`-data`) is taken instead of a file. */
export async function checkNamedFiles(
  { cluster, user = "" }: KubeconfigContext,
  { place, clusters, users }: Kubeconfig,
  files: Files,
): Promise<void> {
  const owners = [
    { what: "cluster", name: cluster, said: clusters.get(cluster) },
    { what: "user", name: user, said: users.get(user) },
  ];
  for (const { what, name, said } of owners) {
    const fields = new Map<string, unknown>(Object.entries(said ?? {}));
    for (const field of FILE_FIELDS) {
      const path = fields.get(field);
      if (typeof path !== "string" || fields.has(`${field}-data`)) continue;
      const problem = await problemOf(path, files);
      if (problem === undefined) continue;
      const where = `${field} of the ${what} ${JSON.stringify(name)}`;
      throw configurationError(
        `the kubeconfig ${place}: ${where} names the file ${path}, which ${problem}; correct the path or the file`,
      );
    }
  }
}

/** What keeps a file from being read; undefined when nothing does. */
async function problemOf(path: string, files: Files): Promise<string | undefined> {
  try {
    return (await files.read(path)) === undefined ? "does not exist" : undefined;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
