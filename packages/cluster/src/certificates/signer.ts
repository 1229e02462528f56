/** The signer of certificate requests: those that are approved and meant for Kubernetes' own signers get a certificate of the cluster. */
import { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { formatTime } from "@kubewright/core/meta";
import type { SignOptions } from "@kubewright/node/certificates";
import { type Controller, defineController } from "@kubewright/runtime";
import { hasCondition, requestText, SIGNERS } from "./request-rules.ts";

/** Signs a certificate request, PEM. */
export type SignCertificate = (request: string, options: SignOptions) => Promise<string>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long a certificate is good at most. */
const LIFETIME_MS = 365 * DAY_MS;
/** And at least. */
const LIFETIME_MS_MIN = 10 * MINUTE_MS;
/** Certificates begin so long ago, for clocks that are behind, and end so much earlier unless they are short-lived. */
const BACKDATE_MS = 5 * MINUTE_MS;
const SHORT_MS = 480 * MINUTE_MS;

/** Signs what is approved. */
export function createCertificateSigner(sign: SignCertificate): Controller<CertificateSigningRequest> {
  return defineController<CertificateSigningRequest>({
    name: "certificatesigningrequest-signing-controller",
    for: CertificateSigningRequest,
    predicate: ({ type, object }) => type !== "deleted" && isDue(object),
    async reconcile(request, { client, clock }) {
      const problemOf = SIGNERS.get(request.spec?.signerName ?? "");
      if (!isDue(request) || problemOf === undefined) return;
      const { readRequestedNames } = await import("@kubewright/node/certificates");
      const text = requestText(request);
      const usages = request.spec?.usages ?? [];
      const problem = problemOf(readRequestedNames(text), usages);
      const status =
        problem === undefined
          ? { certificate: await certificateFor(request, text, sign) }
          : { conditions: [...(request.status?.conditions ?? []), failure(problem, clock.now())] };
      await client.update(
        CertificateSigningRequest,
        { ...request, status: { ...request.status, ...status } },
        { subresource: "status" },
      );
    },
  });
}

function isDue(request: CertificateSigningRequest): boolean {
  const isSigned = Boolean(request.status?.certificate);
  return hasCondition(request, "Approved") && !hasCondition(request, "Failed") && !isSigned;
}

/** Base64 of a certificate for the usages, which the rules of the signer have found to be among those that there are. */
async function certificateFor(
  { spec }: CertificateSigningRequest,
  text: string,
  sign: SignCertificate,
): Promise<string> {
  const usages = (spec?.usages ?? []) as SignOptions["usages"];
  const certificate = await sign(text, { usages, days: lifetimeMs(spec?.expirationSeconds) / DAY_MS });
  return Buffer.from(certificate).toString("base64");
}

/** How long from now a certificate is good. */
function lifetimeMs(expirationSeconds: number | undefined): number {
  const wantedMs = expirationSeconds === undefined ? LIFETIME_MS : expirationSeconds * 1000;
  const grantedMs = Math.min(LIFETIME_MS, Math.max(LIFETIME_MS_MIN, wantedMs));
  return grantedMs < SHORT_MS ? grantedMs : grantedMs - BACKDATE_MS;
}

function failure(message: string, now: number) {
  const reason = "SignerValidationFailure";
  return { type: "Failed", status: "True", reason, message, lastUpdateTime: formatTime(now) } as const;
}
