/**
 * A certificate authority of one's own: for the embedded API server's TLS, its clients, webhooks in tests. Keys are
 * ECDSA on P-256; certificates are PEM. Serving and client certificates say so, and neither can sign others.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock, Random } from "@kubewright/core/ports";
import { type CertificateRequest, keyToPem, newKeys, parseCertificateRequest } from "./request.ts";
import {
  type AlternativeNames,
  alternativeNames,
  authorityExtensions,
  type CertificateUsage,
  distinguishedName,
  leafExtensions,
  type Subject,
  signCertificate,
  subjectOf,
  toPem,
} from "./x509.ts";

/** A certificate and its private key, both PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** What certificates are made with. */
export interface CertificatePorts {
  readonly clock: Clock;
  /** Serial numbers come from here; keys always from the system. */
  readonly random: Random;
}

/** What a leaf certificate is for. */
export interface IssueOptions extends Subject, AlternativeNames {
  readonly usages: readonly CertificateUsage[];
  /** How long it is good, in days or parts of one, though never longer than the authority. @default 365 */
  readonly days?: number;
}

/** What a requested certificate is for. */
export type SignOptions = Pick<IssueOptions, "usages" | "days">;

/** Issues certificates. */
export interface CertificateAuthority extends CertificatePair {
  /** A new key and a certificate for it. */
  issue(options: IssueOptions): CertificatePair;
  /** A certificate, PEM, for a PKCS#10 request, whose names are taken as they are, and for these usages alone. Throws `MalformedError`. */
  sign(request: string, options: SignOptions): string;
}

/** How an authority is made. */
export interface AuthorityOptions extends CertificatePorts {
  /** @default "kubewright-ca" */
  readonly commonName?: string;
  /** @default 3650 */
  readonly days?: number;
}

/** A new authority with a new key. */
export function createCertificateAuthority(options: AuthorityOptions): CertificateAuthority {
  const { clock, random, commonName = "kubewright-ca", days = 3650 } = options;
  const { publicKey, privateKey } = newKeys();
  const name = distinguishedName({ commonName });
  const extensions = authorityExtensions(publicKey);
  const validity = { notBeforeMs: clock.now() - SKEW_MS, notAfterMs: clock.now() + days * DAY_MS };
  const content = { serial: serialNumber(random), issuer: name, subject: name, ...validity, publicKey, extensions };
  const certificate = toPem("CERTIFICATE", signCertificate(content, privateKey));
  return openCertificateAuthority({ certificate, key: keyToPem(privateKey) }, { clock, random });
}

/** The authority of a certificate and key that were kept. */
export function openCertificateAuthority(pair: CertificatePair, ports: CertificatePorts): CertificateAuthority {
  const parsed = new X509Certificate(pair.certificate);
  const authorityPrivateKey = createPrivateKey(pair.key);
  if (!parsed.checkPrivateKey(authorityPrivateKey))
    throw new TypeError("the authority's key does not fit its certificate");
  const issuer = subjectOf(new Uint8Array(parsed.raw));
  const expiryMs = Date.parse(parsed.validTo);
  const certify = (leaf: CertificateRequest, { usages, days = 365 }: SignOptions): string => {
    const { publicKey, subject, names } = leaf;
    const nowMs = ports.clock.now();
    const content = {
      serial: serialNumber(ports.random),
      issuer,
      subject,
      notBeforeMs: nowMs - SKEW_MS,
      notAfterMs: Math.min(nowMs + Math.round(days * DAY_MS), expiryMs),
      publicKey,
      extensions: [...leafExtensions({ publicKey, authorityKey: parsed.publicKey }, usages), ...names],
    };
    return toPem("CERTIFICATE", signCertificate(content, authorityPrivateKey));
  };
  return {
    ...pair,
    issue(options) {
      const { publicKey, privateKey } = newKeys();
      const leaf = { publicKey, subject: distinguishedName(options), names: alternativeNames(options) };
      const usages = ["digital signature", ...options.usages] as const;
      return { certificate: certify(leaf, { ...options, usages }), key: keyToPem(privateKey) };
    },
    sign: (request, options) => certify(parseCertificateRequest(request), options),
  };
}

/** When a PEM certificate ends, in milliseconds since the epoch. Throws for what is no certificate. */
export function certificateEnd(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

const DAY_MS = 86_400_000;

/** Certificates are good a little before now, for clocks that are behind. */
const SKEW_MS = 5 * 60_000;

/** 127 random bits, never zero. */
function serialNumber(random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
