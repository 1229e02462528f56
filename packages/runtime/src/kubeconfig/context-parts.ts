/**
 * What a context of a kubeconfig names: itself, its cluster, its user. What is not there is refused with what there is. connection.ts makes a
 * connection of them.
 */
import { configurationError } from "./configuration-error.ts";
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.ts";

/** The context of this name. */
export function contextOf({ contexts, place }: Kubeconfig, name: string | undefined): KubeconfigContext {
  const found = contexts.get(name ?? "");
  if (found !== undefined) return found;
  if (name === undefined) {
    throw configurationError(
      `the kubeconfig ${place} has no current context; choose one with --context: ${listed(contexts)}`,
    );
  }
  throw configurationError(
    `the kubeconfig ${place} has no context ${JSON.stringify(name)}; its contexts are: ${listed(contexts)}`,
  );
}

/** The cluster that the context names. Other URLs than https:// would send credentials in the clear. */
export function clusterOf(
  { cluster: name = "" }: Partial<KubeconfigContext>,
  { clusters, place }: Kubeconfig,
): KubeconfigCluster & { readonly server: string } {
  const found = clusters.get(name);
  if (found === undefined) {
    throw configurationError(
      `the kubeconfig ${place} has no cluster ${JSON.stringify(name)}; its clusters are: ${listed(clusters)}`,
    );
  }
  const { server } = found;
  if (server !== undefined && URL.parse(server)?.protocol === "https:") return { ...found, server };
  const instead = server === undefined ? "which is missing" : `not ${JSON.stringify(server)}`;
  throw configurationError(
    `the kubeconfig ${place}: server of the cluster ${JSON.stringify(name)} must be a URL that begins with https://, ${instead}`,
  );
}

/** Whom the context names; nobody, if it names none. */
export function userOf({ user = "" }: KubeconfigContext, { users, place }: Kubeconfig): KubeconfigUser {
  const found = users.get(user);
  if (found !== undefined || user === "") return found ?? {};
  throw configurationError(
    `the kubeconfig ${place} has no user ${JSON.stringify(user)}; its users are: ${listed(users)}`,
  );
}

function listed(named: ReadonlyMap<string, unknown>): string {
  return [...named.keys()].join(", ") || "none";
}
