/**
 * What the signers of Kubernetes ask of a certificate request: whom it may name, and what for. Pure; the approver and the signer go by it.
 * The words are Kubernetes'.
 */
import type { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import type { RequestedNames } from "@kubewright/node/certificates";

/** For clients of the API server. */
export const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
/** For kubelets as clients of the API server. */
export const KUBELET_CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client-kubelet";
/** For kubelets as servers. */
export const KUBELET_SERVING_SIGNER = "kubernetes.io/kubelet-serving";

/** The text of a request. */
export function requestText({ spec }: CertificateSigningRequest): string {
  return Buffer.from(spec?.request ?? "", "base64").toString("utf8");
}

/** True when a condition is met. */
export function hasCondition({ status }: CertificateSigningRequest, type: "Approved" | "Denied" | "Failed"): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
}

/** Why each signer refuses a request; undefined when it does not. Requests to others are not for this cluster to sign. */
export const SIGNERS: ReadonlyMap<string, (names: RequestedNames, usages: readonly string[]) => string | undefined> =
  new Map([
    [CLIENT_SIGNER, (_names, usages) => clientUsageProblem(usages)],
    [KUBELET_CLIENT_SIGNER, kubeletClientProblem],
    [KUBELET_SERVING_SIGNER, kubeletServingProblem],
  ]);

const OPTIONAL_USAGES: readonly string[] = ["digital signature", "key encipherment"];

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const foreign = usages.find((usage) => usage !== "client auth" && !OPTIONAL_USAGES.includes(usage));
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

/** Why a request is not one of a kubelet that will be a client. */
export function kubeletClientProblem(names: RequestedNames, usages: readonly string[]): string | undefined {
  if (!isOfNodes(names)) return "subject organization is not system:nodes";
  if (names.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (names.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (names.ipAddresses.length > 0) return "IP subjectAltNames are not allowed";
  if (names.uris.length > 0) return "URI subjectAltNames are not allowed";
  return nodeNameProblem(names) ?? usageProblem(usages, "client auth");
}

function kubeletServingProblem(names: RequestedNames, usages: readonly string[]): string | undefined {
  if (!isOfNodes(names)) return "subject organization is not system:nodes";
  if (names.dnsNames.length + names.ipAddresses.length === 0) return "DNS or IP subjectAltName is required";
  if (names.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (names.uris.length > 0) return "URI subjectAltNames are not allowed";
  return usageProblem(usages, "server auth") ?? nodeNameProblem(names);
}

function isOfNodes({ organizations }: RequestedNames): boolean {
  return organizations.length === 1 && organizations[0] === "system:nodes";
}

function nodeNameProblem({ commonName }: RequestedNames): string | undefined {
  return commonName.startsWith("system:node:") ? undefined : "subject common name does not begin with system:node:";
}

/** Keys other than RSA encipher no keys. */
function usageProblem(usages: readonly string[], purpose: "client auth" | "server auth"): string | undefined {
  const isMet = [
    ["digital signature", purpose],
    ["digital signature", "key encipherment", purpose],
  ].some((wanted) => wanted.length === new Set(usages).size && wanted.every((usage) => usages.includes(usage)));
  if (isMet) return undefined;
  const wanted = ["digital signature", "key encipherment", purpose].sort();
  return `usages did not match [${wanted.join(" ")}]`;
}
