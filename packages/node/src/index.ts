/** `@kubewright/node`: the ports of `@kubewright/core`, implemented on Node.js. */
export {
  type AuthorityOptions,
  type CertificateAuthority,
  type CertificatePair,
  type CertificatePorts,
  createCertificateAuthority,
  type IssueOptions,
  openCertificateAuthority,
  type SignOptions,
} from "./certificates/authority.ts";
export { createCertificateRequest, type RequestPair } from "./certificates/request.ts";
export type { AlternativeNames, CertificateUsage, Subject } from "./certificates/x509.ts";
export { systemClock } from "./clock.ts";
export { type ConsoleLoggerOptions, createConsoleLogger, type LogLevel } from "./console-logger.ts";
export { systemFiles } from "./files.ts";
export { systemRandom } from "./random.ts";
export { type SystemProcess, systemProcess } from "./system-process.ts";
