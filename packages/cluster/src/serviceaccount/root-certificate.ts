/**
 * The publisher of the root certificate: every namespace has a ConfigMap with the certificate authority of the API server,
 * which pods mount to trust it. Whatever else is written into the ConfigMap is undone.
 */
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type Client, type Controller, defineController, metadataOnly, watch } from "@kubewright/runtime";
import { isOpen, namespaceOf } from "../namespace/of-object.ts";
import { createUnlessThere } from "../workload/create-unless-there.ts";

const NAME = "kube-root-ca.crt";
const annotations = {
  "kubernetes.io/description":
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the " +
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
};

/** Where the API server tells whose certificates it believes: the same authority signed its own. */
const AUTHENTICATION = { name: "extension-apiserver-authentication", namespace: "kube-system" };

/** The certificates to trust the API server by, as PEM: those that are given, or else its own; "" without TLS. */
export async function rootCertificates(client: Client, given: string): Promise<string> {
  if (given !== "") return given;
  return (await client.find(ConfigMap, AUTHENTICATION))?.data?.["client-ca-file"] ?? "";
}

/** Publishes the certificates, `given` ones in the first place, in each namespace. */
export function createRootCertificatePublisher(given: string): Controller<Namespace> {
  return defineController<Namespace>({
    name: "root-ca-certificate-publisher-controller",
    for: Namespace,
    crossNamespace: true, // The API server tells of itself in kube-system.
    watches: [
      watch(ConfigMap, {
        predicate: ({ object: { metadata } }) =>
          metadata?.name === AUTHENTICATION.name && metadata.namespace === AUTHENTICATION.namespace,
        map: (_, { cache }) => cache.list(Namespace).map(({ metadata }) => ({ name: metadata?.name ?? "" })),
      }),
      watch(metadataOnly(ConfigMap), { map: namespaceOf, cache: { fieldSelector: { "metadata.name": NAME } } }),
    ],
    async reconcile(namespace, { client }) {
      if (!isOpen(namespace)) return;
      const metadata = { name: NAME, namespace: namespace.metadata?.name ?? "", annotations };
      const data = { "ca.crt": await rootCertificates(client, given) };
      const existing = await client.find(ConfigMap, metadata);
      if (existing === undefined) await createUnlessThere(client, ConfigMap, { metadata, data });
      else if (!deepEqual(existing.data, data)) await client.update(ConfigMap, { ...existing, data });
    },
  });
}
