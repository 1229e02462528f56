/**
 * Certificate requests (PKCS#10, RFC 2986): made by whoever wants a certificate and keeps the key, signed by an authority
 * (authority.ts). They are what a CertificateSigningRequest of the API carries. Reading checks that the requester has
 * the key, and takes the subject and the alternative names.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { malformed } from "@kubewright/core/meta";
import {
  childrenOf,
  type DerElement,
  element,
  explicit,
  integer,
  isIdentifier,
  objectIdentifier,
  readElements,
  sequence,
  TAG,
} from "./der.ts";
import {
  type AlternativeNames,
  alternativeNames,
  distinguishedName,
  OID,
  publicKeyInfo,
  type Subject,
  signed,
  toPem,
} from "./x509.ts";

/** A request and the private key that stays with the requester, both PEM. */
export interface RequestPair {
  readonly request: string;
  readonly key: string;
}

/** A new key and a request for a certificate. */
export function createCertificateRequest(options: Subject & AlternativeNames): RequestPair {
  const { publicKey, privateKey } = newKeys();
  const extensions = alternativeNames(options);
  const wanted = element(TAG.set, sequence(...extensions));
  const attributes = extensions.length === 0 ? [] : [sequence(objectIdentifier(OID.extensionRequest), wanted)];
  const body = sequence(
    integer(Uint8Array.of(0)),
    distinguishedName(options),
    publicKeyInfo(publicKey),
    explicit(0, ...attributes),
  );
  return { request: toPem("CERTIFICATE REQUEST", signed(body, privateKey)), key: keyToPem(privateKey) };
}

/** What a request asks for. */
export interface CertificateRequest {
  readonly publicKey: KeyObject;
  /** DER of the subject's name. */
  readonly subject: Uint8Array;
  /** DER of the subjectAltName extension; none when no names are asked for. */
  readonly names: readonly Uint8Array[];
}

/** Reads a PEM request and checks its signature. Throws `MalformedError`. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const base64 = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]*)-----END/.exec(pem)?.[1];
  if (base64 === undefined) throw malformed("PEM block type must be CERTIFICATE REQUEST");
  try {
    return readRequest(new Uint8Array(Buffer.from(base64, "base64")));
  } catch (error) {
    throw malformed("not a valid PKCS#10 certificate request", { cause: error });
  }
}

/** A new key on P-256. */
export function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** A private key as PEM (SEC 1, as client-go writes it): clients in Java take a PKCS#8 key for one of RSA. */
export function keyToPem(key: KeyObject): string {
  return key.export({ type: "sec1", format: "pem" }).toString();
}

/** The digests of the signature algorithms that requests come with; null where the key's type decides. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map([
  [OID.ecdsaWithSha256, "sha256"],
  ["1.2.840.10045.4.3.3", "sha384"],
  ["1.2.840.10045.4.3.4", "sha512"],
  ["1.2.840.113549.1.1.11", "sha256"],
  ["1.2.840.113549.1.1.12", "sha384"],
  ["1.2.840.113549.1.1.13", "sha512"],
  ["1.3.101.112", null],
]);

function readRequest(der: Uint8Array): CertificateRequest {
  const [body, algorithm, signature] = childrenOf(readElements(der)[0]);
  const [, subject, keyInfo, attributes] = childrenOf(body);
  if (body === undefined || subject === undefined || keyInfo === undefined || signature === undefined) {
    throw new RangeError("a part is missing");
  }
  const publicKey = createPublicKey({ key: Buffer.from(keyInfo.whole), format: "der", type: "spki" });
  const digest = digestOf(childrenOf(algorithm)[0]);
  if (digest === undefined || !verify(digest, body.whole, publicKey, signature.content.subarray(1))) {
    throw new TypeError("the signature is not by the key of the request");
  }
  return { publicKey, subject: subject.whole, names: requestedNames(attributes) };
}

function digestOf(algorithm: DerElement | undefined): string | null | undefined {
  const entry = [...DIGESTS].find(([oid]) => isIdentifier(algorithm, oid));
  return entry?.[1];
}

/** The subjectAltName among the extensions that are asked for; others are the authority's to decide. */
function requestedNames(attributes: DerElement | undefined): readonly Uint8Array[] {
  const attribute = childrenOf(attributes).find((candidate) =>
    isIdentifier(childrenOf(candidate)[0], OID.extensionRequest),
  );
  const [extensions] = childrenOf(childrenOf(attribute)[1]);
  return childrenOf(extensions)
    .filter((extension) => isIdentifier(childrenOf(extension)[0], OID.subjectAltName))
    .map((extension) => extension.whole);
}
