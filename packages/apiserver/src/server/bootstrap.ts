/** What a cluster has from its first moment: the namespaces that every client expects. */
import { isAlreadyExists } from "@kubewright/core/protocol";
import type { Backend } from "../registry/backend.ts";
import { createObject } from "../registry/create.ts";
import { internalWrite } from "../registry/internal-write.ts";

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Creates what is not there yet. */
export async function createBootstrapObjects(backend: Backend): Promise<void> {
  const resource = backend.registry.find("", "v1", "namespaces");
  if (resource === undefined) return;
  for (const name of NAMESPACES) {
    const write = await internalWrite(resource, { name, namespace: "" });
    try {
      await createObject(backend, write, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
