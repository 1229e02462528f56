/** What every namespace has: the service account "default", and the certificates that its pods trust the API by. */
import { ConfigMap, Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";
import { isAlreadyExists, isForbidden, isNotFound } from "@kubewright/core/protocol";
import { type AnyDefinition, type Controller, defineController, metadataOnly, watch } from "@kubewright/runtime";

const ROOT_CERTIFICATES = "kube-root-ca.crt";
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
  "No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Keeps the service account "default" in every namespace. */
export const serviceAccountController: Controller<Namespace> = forEachNamespace(
  "serviceaccount-controller",
  ServiceAccount,
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
);

/** Keeps the certificates of the API server in every namespace. */
export function createRootCertificatesController(certificates: string): Controller<Namespace> {
  return forEachNamespace("root-ca-certificate-publisher", ConfigMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: ROOT_CERTIFICATES, annotations: { "kubernetes.io/description": DESCRIPTION } },
    data: { "ca.crt": certificates },
  } as KubernetesObject);
}

/** A controller that keeps one object of a fixed name in every namespace that stays. */
function forEachNamespace(name: string, definition: AnyDefinition, object: KubernetesObject): Controller<Namespace> {
  const { name: wanted = "" } = object.metadata ?? {};
  const seen = metadataOnly(definition);
  return defineController<Namespace>({
    name,
    for: Namespace,
    watches: [
      watch(seen, {
        map: ({ metadata }) => (metadata.name === wanted ? [{ name: metadata.namespace ?? "" }] : []),
        predicate: ({ type }) => type === "deleted",
      }),
    ],
    async reconcile({ metadata }, { client, cache }) {
      const namespace = metadata?.name ?? "";
      if (cache.get(seen, { name: wanted, namespace }) !== undefined) return;
      try {
        await client.create(definition, { ...object, metadata: { ...object.metadata, namespace } });
      } catch (error) {
        // There already, or the namespace is going or gone.
        if (!isAlreadyExists(error) && !isForbidden(error) && !isNotFound(error)) throw error;
      }
    },
  });
}
