/** The cleaner of certificate requests: what was decided an hour ago, and what nobody has decided for a day, is removed. */
import { CertificateSigningRequest } from "@kubewright/api/certificates/v1";
import { after, type Controller, defineController } from "@kubewright/runtime";

const HOUR_MS = 3_600_000;
/** How long requests are kept that are signed, denied or failed. */
const DECIDED_MS = HOUR_MS;
/** How long requests are kept that wait for a decision, or for a signer. */
const WAITING_MS = 24 * HOUR_MS;

/** Removes old requests. */
export const certificateCleaner: Controller<CertificateSigningRequest> = defineController<CertificateSigningRequest>({
  name: "certificatesigningrequest-cleaner-controller",
  for: CertificateSigningRequest,
  async reconcile(request, { client, clock }) {
    const endsAt = Math.min(keptUntil(request), await certificateEndOf(request));
    if (endsAt === Number.POSITIVE_INFINITY) return undefined;
    const now = clock.now();
    if (now <= endsAt) return after(endsAt - now + 1);
    await client.delete(CertificateSigningRequest, request);
    return undefined;
  },
});

/** When a request has been there for long enough; never for one whose conditions tell no time. */
function keptUntil({ metadata, status }: CertificateSigningRequest): number {
  const { conditions = [], certificate } = status ?? {};
  if (conditions.length === 0) return timeOf(metadata?.creationTimestamp) + WAITING_MS;
  const approvedMs = certificate ? DECIDED_MS : WAITING_MS;
  const ends = conditions.flatMap(({ type, lastUpdateTime }) => {
    const keptMs = type === "Approved" ? approvedMs : type === "Denied" || type === "Failed" ? DECIDED_MS : undefined;
    return keptMs === undefined ? [] : [timeOf(lastUpdateTime) + keptMs];
  });
  return Math.min(...ends);
}

/** When its certificate ends; never when there is none, or nothing that can be read. */
async function certificateEndOf({ status }: CertificateSigningRequest): Promise<number> {
  const isApproved = status?.conditions?.some(({ type }) => type === "Approved") === true;
  if (!status?.certificate || !isApproved) return Number.POSITIVE_INFINITY;
  const { certificateEnd } = await import("@kubewright/node/certificates");
  try {
    return certificateEnd(Buffer.from(status.certificate, "base64").toString("utf8"));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function timeOf(text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : Date.parse(text);
}
