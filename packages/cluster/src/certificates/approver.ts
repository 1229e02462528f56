/** The approver of certificate requests: kubelets get their client certificates when RBAC says so. All others wait for somebody. */
import { SubjectAccessReview } from "@kubewright/api/authorization/v1";
import { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import type { RequestedNames } from "@kubewright/node/certificates";
import { type Client, type Controller, defineController } from "@kubewright/runtime";
import { hasCondition, KUBELET_CLIENT_SIGNER, kubeletClientProblem, requestText } from "./request-rules.ts";

/** Approves requests of kubelets. */
export const certificateApprover: Controller<CertificateSigningRequest> = defineController<CertificateSigningRequest>({
  name: "certificatesigningrequest-approving-controller",
  for: CertificateSigningRequest,
  predicate: ({ type, object }) => type !== "deleted" && isOpen(object),
  async reconcile(request, { client }) {
    if (!isOpen(request)) return;
    const { readRequestedNames } = await import("@kubewright/node/certificates");
    for (const { subresource, message } of claimsOf(request, readRequestedNames(requestText(request)))) {
      if (!(await isAllowed(client, request, subresource))) continue;
      const approval = { type: "Approved", status: "True", reason: "AutoApproved", message } as const;
      const conditions = [...(request.status?.conditions ?? []), approval];
      const approved = { ...request, status: { ...request.status, conditions } };
      await client.subresource(CertificateSigningRequest, "approval").update(request, approved);
      return;
    }
  },
});

function isOpen(request: CertificateSigningRequest): boolean {
  const isDecided = hasCondition(request, "Approved") || hasCondition(request, "Denied");
  return request.spec?.signerName === KUBELET_CLIENT_SIGNER && !isDecided && !request.status?.certificate;
}

/** What a request may claim to be, and what is said when it is. */
interface Claim {
  readonly subresource: "selfnodeclient" | "nodeclient";
  readonly message: string;
}

function claimsOf({ spec }: CertificateSigningRequest, names: RequestedNames): readonly Claim[] {
  if (kubeletClientProblem(names, spec?.usages ?? []) !== undefined) return [];
  const approving = (which: string): string => `Auto approving ${which} certificate after SubjectAccessReview.`;
  const any: Claim = { subresource: "nodeclient", message: approving("kubelet client") };
  const isSelf = spec?.username === names.commonName;
  return isSelf ? [{ subresource: "selfnodeclient", message: approving("self kubelet client") }, any] : [any];
}

/** Whether who asks may create requests of that kind and have them approved. */
async function isAllowed(
  client: Client,
  { spec }: CertificateSigningRequest,
  subresource: Claim["subresource"],
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec ?? {};
  const resource = "certificatesigningrequests";
  const action = { group: "certificates.k8s.io", version: "*", resource, subresource, verb: "create" };
  const review = await client.create(SubjectAccessReview, {
    spec: {
      ...(user === undefined ? {} : { user }),
      ...(uid === undefined ? {} : { uid }),
      ...(groups === undefined ? {} : { groups }),
      ...(extra === undefined ? {} : { extra }),
      resourceAttributes: action,
    },
  });
  return review.status?.allowed === true;
}
