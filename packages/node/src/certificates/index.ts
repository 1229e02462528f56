/** `@kubewright/node/certificates`: a certificate authority. An entry of its own: few processes need one. */
export {
  type AuthorityOptions,
  type CertificateAuthority,
  type CertificatePair,
  type CertificatePorts,
  certificateEnd,
  createCertificateAuthority,
  type IssueOptions,
  openCertificateAuthority,
  type SignOptions,
} from "./authority.ts";
export { createCertificateRequest, type RequestPair } from "./request.ts";
export { type RequestedNames, readRequestedNames } from "./requested-names.ts";
export type { AlternativeNames, CertificateUsage, Subject } from "./x509.ts";
