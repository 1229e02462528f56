/**
 * NamespaceLifecycle: objects are created only in namespaces that are there and stay, and the namespaces that a cluster
 * needs are not deleted.
 */
import { ApiError, forbidden, notFound } from "@kubewright/core/protocol";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { refusal } from "./refusal.ts";

const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);
const NAMESPACES = { group: "", plural: "namespaces" };

/** The plugin. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  mutate(object, request) {
    if (isConcerned(request)) requireNamespace(request);
    return object;
  },
  validate({ operation, resource, subresource, name }) {
    if (operation !== "DELETE" || subresource !== "" || resource.storageName !== "namespaces") return;
    if (IMMORTAL.has(name)) throw forbidden(NAMESPACES, name, "this namespace may not be deleted");
  },
};

/** Access reviews say nothing about whether a namespace is there. */
function isConcerned({ namespace, resource }: AdmissionRequest): boolean {
  if (namespace === "" || resource.storageName === "namespaces") return false;
  return resource.storageName !== "localsubjectaccessreviews.authorization.k8s.io";
}

function requireNamespace(request: AdmissionRequest): void {
  const { namespace, reader, operation } = request;
  const found = reader.get("namespaces", "", namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  const { phase } = (found["status"] ?? {}) as { readonly phase?: string };
  if (operation === "CREATE" && phase === "Terminating") throw terminating(request);
}

function terminating(request: AdmissionRequest): ApiError {
  const { namespace } = request;
  const { status } = refusal(
    request,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  return new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}
