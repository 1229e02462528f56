/** An embedded cluster that listens, with its kubeconfig in a file: what commands see as "the cluster". */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cluster, createCluster } from "@kubewright/cluster";

/** A cluster and the path of its kubeconfig. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly kubeconfig: string;
}

/** Starts one; the kubeconfig is written into `folder`. */
export async function embeddedCluster(folder: string): Promise<EmbeddedCluster> {
  const cluster = await createCluster();
  const listener = await cluster.apiServer.listen();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, listener.kubeconfig ?? "", { mode: 0o600 });
  return { cluster, kubeconfig, [Symbol.asyncDispose]: () => cluster.close() };
}
