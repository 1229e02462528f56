/**
 * The server's own certificate authority: signs the certificates that it listens with, those of its administrators, and whatever it is asked to
 * sign. Made, and loaded, when somebody first needs it; one per server.
 */
import type { CertificateAuthority, CertificatePair, CertificatePorts } from "@kubewright/node/certificates";

/** Answers with the authority, always the same one. */
export type OwnAuthority = () => Promise<CertificateAuthority>;

/** What it is made of. */
export interface OwnAuthorityOptions extends CertificatePorts {
  /** @default made anew */
  readonly certificateAuthority?: CertificatePair;
}

/** An authority that is yet to be made, or opened. */
export function createOwnAuthority({ clock, random, certificateAuthority: kept }: OwnAuthorityOptions): OwnAuthority {
  let made: Promise<CertificateAuthority> | undefined;
  const make = async (): Promise<CertificateAuthority> => {
    const { createCertificateAuthority, openCertificateAuthority } = await import("@kubewright/node/certificates");
    const ports = { clock, random };
    return kept === undefined ? createCertificateAuthority(ports) : openCertificateAuthority(kept, ports);
  };
  return () => (made ??= make());
}
