/**
 * X.509 certificates (RFC 5280), as much of them as a cluster needs: names of CN and O, an own CA, leaves for servers and
 * clients, ECDSA with SHA-256. Input is data; output is DER that is signed by authority.ts.
 */
import { createHash, type KeyObject, sign } from "node:crypto";
import { parseIpv4, parseIpv6 } from "@kubewright/core/meta";
import {
  bitString,
  element,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  readElements,
  sequence,
  TAG,
  TRUE,
  time,
  utf8String,
} from "./der.ts";

/** What a leaf may be used for, in Kubernetes' words. */
export type CertificateUsage = "server auth" | "client auth" | "digital signature" | "key encipherment";

/** Whom a certificate names. Kubernetes takes the common name for the user and the organizations for the groups. */
export interface Subject {
  readonly commonName: string;
  /** @default [] */
  readonly organizations?: readonly string[];
}

/** The hosts that a server's certificate is good for. */
export interface AlternativeNames {
  /** @default [] */
  readonly dnsNames?: readonly string[];
  /** IPv4 or IPv6. @default [] */
  readonly ipAddresses?: readonly string[];
}

/** All that a certificate says. */
export interface CertificateContent {
  readonly serial: Uint8Array;
  /** DER of the issuer's name. */
  readonly issuer: Uint8Array;
  /** DER of the subject's name. */
  readonly subject: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

/** Signs a certificate's content; DER. */
export function signCertificate(content: CertificateContent, issuerKey: KeyObject): Uint8Array {
  const body = sequence(
    explicit(0, integer(Uint8Array.of(2))), // Version 3.
    integer(content.serial),
    ECDSA_WITH_SHA256,
    content.issuer,
    sequence(time(content.notBeforeMs), time(content.notAfterMs)),
    content.subject,
    publicKeyInfo(content.publicKey),
    explicit(3, sequence(...content.extensions)),
  );
  return signed(body, issuerKey);
}

/** A body with its signature, as certificates and certificate requests have it. */
export function signed(body: Uint8Array, key: KeyObject): Uint8Array {
  return sequence(body, ECDSA_WITH_SHA256, bitString(sign("sha256", body, key)));
}

/** The DER name of a subject: organizations, then the common name. */
export function distinguishedName({ commonName, organizations = [] }: Subject): Uint8Array {
  const attribute = (oid: string, text: string): Uint8Array =>
    element(TAG.set, sequence(objectIdentifier(oid), utf8String(text)));
  return sequence(
    ...organizations.map((name) => attribute(OID.organization, name)),
    attribute(OID.commonName, commonName),
  );
}

/** The extensions of a CA, which signs leaves and nothing else. */
export function authorityExtensions(publicKey: KeyObject): readonly Uint8Array[] {
  return [
    extension(OID.basicConstraints, sequence(TRUE, integer(Uint8Array.of(0))), "critical"),
    extension(OID.keyUsage, keyUsage(0b1000_0110), "critical"), // digitalSignature, keyCertSign, cRLSign.
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
  ];
}

/** The extensions of a leaf, without its alternative names. */
export function leafExtensions(
  keys: { readonly publicKey: KeyObject; readonly authorityKey: KeyObject },
  usages: readonly CertificateUsage[],
): readonly Uint8Array[] {
  const flags = usages.reduce((sum, usage) => sum | (KEY_USAGES.get(usage) ?? 0), 0);
  const purposes = [...PURPOSES].filter(([usage]) => usages.includes(usage)).map(([, oid]) => objectIdentifier(oid));
  return [
    extension(OID.basicConstraints, sequence(), "critical"),
    ...(flags === 0 ? [] : [extension(OID.keyUsage, keyUsage(flags), "critical")]),
    ...(purposes.length === 0 ? [] : [extension(OID.extendedKeyUsage, sequence(...purposes))]),
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(keys.publicKey))),
    extension(OID.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(keys.authorityKey)))),
  ];
}

/** The subjectAltName extension, or none when there are no names. */
export function alternativeNames({ dnsNames = [], ipAddresses = [] }: AlternativeNames): readonly Uint8Array[] {
  const names = [
    ...dnsNames.map((name) => implicit(2, new TextEncoder().encode(name))),
    ...ipAddresses.map((address) => implicit(7, ipBytes(address))),
  ];
  return names.length === 0 ? [] : [extension(OID.subjectAltName, sequence(...names))];
}

/** DER as PEM, with a label such as "CERTIFICATE". */
export function toPem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}

/** The DER of a public key with its algorithm. */
export function publicKeyInfo(publicKey: KeyObject): Uint8Array {
  return new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
}

/** The DER name of a certificate's subject. */
export function subjectOf(certificate: Uint8Array): Uint8Array {
  const [outer] = readElements(certificate);
  const [body] = readElements(outer?.content ?? new Uint8Array());
  const fields = readElements(body?.content ?? new Uint8Array());
  const subject = fields[fields[0]?.tag === 0xa0 ? 5 : 4]; // The version is left out of version 1.
  if (subject?.tag !== TAG.sequence) throw new TypeError("certificate has no subject where X.509 has it");
  return subject.whole;
}

/** The object identifiers that certificates and requests use. */
export const OID = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  extensionRequest: "1.2.840.113549.1.9.14",
} as const;

/** What the key may do, as flags: RFC 5280 4.2.1.3. */
const KEY_USAGES: ReadonlyMap<CertificateUsage, number> = new Map([
  ["digital signature", 0b1000_0000],
  ["key encipherment", 0b0010_0000],
]);

/** What the certificate is for: RFC 5280 4.2.1.12. */
const PURPOSES: ReadonlyMap<CertificateUsage, string> = new Map([
  ["server auth", OID.serverAuth],
  ["client auth", OID.clientAuth],
]);

const ECDSA_WITH_SHA256 = sequence(objectIdentifier(OID.ecdsaWithSha256));

function extension(oid: string, value: Uint8Array, critical?: "critical"): Uint8Array {
  return sequence(objectIdentifier(oid), ...(critical === undefined ? [] : [TRUE]), octetString(value));
}

/** A BIT STRING of flags; DER leaves out trailing zero bits and counts them. */
function keyUsage(flags: number): Uint8Array {
  const unused = Math.log2(flags & -flags);
  return element(TAG.bitString, Uint8Array.of(unused, flags));
}

/** SHA-1 of the public key's bits: RFC 5280 4.2.1.2, a name and not a protection. */
function keyIdentifier(publicKey: KeyObject): Uint8Array {
  const [outer] = readElements(publicKeyInfo(publicKey));
  const [, bits] = readElements(outer?.content ?? new Uint8Array());
  return new Uint8Array(
    createHash("sha1")
      .update((bits?.content ?? new Uint8Array()).subarray(1))
      .digest(),
  );
}

function ipBytes(address: string): Uint8Array {
  const strict = { leadingZeros: false };
  const bytes = parseIpv4(address, strict) ?? parseIpv6(address, strict);
  if (bytes === undefined) {
    throw new TypeError(`${JSON.stringify(address)} is no IP address; give host names as dnsNames`);
  }
  return Uint8Array.from(bytes);
}
