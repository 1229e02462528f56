/**
 * The publisher of the root certificate: every namespace has a ConfigMap with the certificate authority of the API server,
 * which pods mount to trust it. Whatever else is written into the ConfigMap is undone.
 */
import { ConfigMap, Namespace } from "@kubewright/api/core/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type Controller, defineController, metadataOnly, watch } from "@kubewright/runtime";
import { isOpen, namespaceOf } from "../namespace/of-object.ts";
import { createUnlessThere } from "../workload/create-unless-there.ts";

const NAME = "kube-root-ca.crt";
const annotations = {
  "kubernetes.io/description":
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the " +
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
};

/** Publishes `certificate`, in PEM, in each namespace. */
export function createRootCertificatePublisher(certificate: string): Controller<Namespace> {
  const data = { "ca.crt": certificate };
  return defineController<Namespace>({
    name: "root-ca-certificate-publisher-controller",
    for: Namespace,
    watches: [
      watch(metadataOnly(ConfigMap), { map: namespaceOf, cache: { fieldSelector: { "metadata.name": NAME } } }),
    ],
    async reconcile(namespace, { client }) {
      if (!isOpen(namespace)) return;
      const metadata = { name: NAME, namespace: namespace.metadata?.name ?? "", annotations };
      const existing = await client.find(ConfigMap, metadata);
      if (existing === undefined) await createUnlessThere(client, ConfigMap, { metadata, data });
      else if (!deepEqual(existing.data, data)) await client.update(ConfigMap, { ...existing, data });
    },
  });
}
