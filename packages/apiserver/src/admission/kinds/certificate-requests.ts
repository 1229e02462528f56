/**
 * Plugins about CertificateSigningRequests: who approves or signs needs the verb on the signer, and nobody gets a client
 * certificate of the group that may do everything.
 */
import type { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { deepEqual } from "@kubewright/core/meta";
import { type Authorize, PRIVILEGED_GROUP, resourceAction } from "../../auth/authorization.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { refusal } from "../refusal.ts";

const RESOURCES: ReadonlySet<string> = new Set(["certificatesigningrequests.certificates.k8s.io"]);
const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";

/** CertificateApproval. */
export function certificateApproval(authorize: Authorize): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    resources: RESOURCES,
    validate(request) {
      if (request.operation === "UPDATE" && request.subresource === "approval")
        requireVerb("approve", request, authorize);
    },
  };
}

/** CertificateSigning. */
export function certificateSigning(authorize: Authorize): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    resources: RESOURCES,
    validate(request) {
      if (request.operation !== "UPDATE" || request.subresource !== "status") return;
      const before = statusOf(request.oldObject);
      const after = statusOf(request.object);
      const isSame =
        before.certificate === after.certificate &&
        deepEqual([...(before.conditions ?? [])], [...(after.conditions ?? [])]);
      if (!isSame) requireVerb("sign", request, authorize);
    },
  };
}

/** CertificateSubjectRestriction. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  resources: RESOURCES,
  validate(request) {
    if (request.operation !== "CREATE" || request.subresource !== "") return;
    const { spec } = request.object as unknown as CertificateSigningRequest;
    if (spec?.signerName !== CLIENT_SIGNER || !isPrivileged(spec.request ?? "")) return;
    throw refusal(request, `use of ${CLIENT_SIGNER} signer with ${PRIVILEGED_GROUP} group is not allowed`);
  },
};

function statusOf(object: unknown): NonNullable<CertificateSigningRequest["status"]> {
  return (object as CertificateSigningRequest | undefined)?.status ?? {};
}

/** The verb on the signer itself, or on all signers of its domain. */
function requireVerb(verb: "approve" | "sign", request: AdmissionRequest, authorize: Authorize): void {
  const { spec } = request.oldObject as unknown as CertificateSigningRequest;
  const signerName = spec?.signerName ?? "";
  const [domain = ""] = signerName.split("/");
  const isAllowed = [signerName, `${domain}/*`].some((name) => {
    const action = { verb, group: "certificates.k8s.io", resource: "signers", name };
    return authorize(resourceAction(request.user, action)).allowed;
  });
  if (isAllowed) return;
  throw refusal(request, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`);
}

/** DER of the attribute "organization" (2.5.4.10) up to its value, for both kinds of text that certificates use. */
const ORGANIZATION = [0x0c, 0x13].map((tag) => [0x06, 0x03, 0x55, 0x04, 0x0a, tag, PRIVILEGED_GROUP.length]);

function isPrivileged(request: string): boolean {
  const pem = Buffer.from(request, "base64").toString("latin1");
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
  return ORGANIZATION.some((start) => der.includes(Buffer.concat([Buffer.from(start), Buffer.from(PRIVILEGED_GROUP)])));
}
