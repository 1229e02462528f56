/**
 * The server's own certificate authority: signs the certificates that it listens with, those of its administrators, and whatever it is asked to
 * sign. Made, and loaded, when somebody first needs it; one per server.
 */
import type { CertificateAuthority, CertificatePorts } from "@kubewright/node/certificates";

/** Answers with the authority, always the same one. */
export type OwnAuthority = () => Promise<CertificateAuthority>;

/** An authority that is yet to be made. */
export function createOwnAuthority({ clock, random }: CertificatePorts): OwnAuthority {
  let made: Promise<CertificateAuthority> | undefined;
  const make = async (): Promise<CertificateAuthority> => {
    const { createCertificateAuthority } = await import("@kubewright/node/certificates");
    return createCertificateAuthority({ clock, random });
  };
  return () => (made ??= make());
}
