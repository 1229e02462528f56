/**
 * Kubeconfig files: the shape every Kubernetes client reads, and the text of one with a single context. JSON is valid
 * YAML, so writing one needs no YAML library. The embedded API server, the test harness and the CLI write them.
 */

/** How to reach one API server, and as whom. */
export interface KubeconfigEntry {
  /** Name of the context, the cluster and the user. */
  readonly name: string;
  /** https://host:port */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** Bearer token. Either this or a client certificate. */
  readonly token?: string;
  /** PEM certificate and key. */
  readonly client?: { readonly certificate: string; readonly key: string };
  /** @default "default" */
  readonly namespace?: string;
}

/** The text of a kubeconfig whose only, and current, context is `entry`. Holds credentials: write it with mode 0600. */
export function formatKubeconfig(entry: KubeconfigEntry): string {
  const user = {
    ...(entry.token === undefined ? {} : { token: entry.token }),
    ...(entry.client === undefined
      ? {}
      : {
          "client-certificate-data": base64(entry.client.certificate),
          "client-key-data": base64(entry.client.key),
        }),
  };
  const context = { cluster: entry.name, user: entry.name, namespace: entry.namespace ?? "default" };
  const cluster = { server: entry.server, "certificate-authority-data": base64(entry.certificateAuthority) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": entry.name,
    clusters: [{ name: entry.name, cluster }],
    users: [{ name: entry.name, user }],
    contexts: [{ name: entry.name, context }],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** PEM is ASCII, so its characters are its bytes. */
function base64(pem: string): string {
  return btoa(pem);
}
