/**
 * Whom a certificate request names: what those look at who decide whether it may be signed. Reads the parts that request.ts takes from
 * a request.
 */
import { formatIpAddress } from "@kubewright/core/meta";
import { childrenOf, type DerElement, isIdentifier, readElements, TAG } from "./der.ts";
import { parseCertificateRequest } from "./request.ts";
import { OID } from "./x509.ts";

/** The names in a request. */
export interface RequestedNames {
  /** "" when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** The names in a PEM request. Throws `MalformedError`. */
export function readRequestedNames(pem: string): RequestedNames {
  const { subject, names } = parseCertificateRequest(pem);
  const alternatives = names.flatMap(alternativesOf);
  const texts = (tag: number): string[] => alternatives.filter((each) => each.tag === tag).map(textOf);
  return {
    commonName: attributesOf(subject, OID.commonName).at(-1) ?? "",
    organizations: attributesOf(subject, OID.organization),
    emailAddresses: texts(ALTERNATIVE.email),
    dnsNames: texts(ALTERNATIVE.dns),
    uris: texts(ALTERNATIVE.uri),
    ipAddresses: alternatives
      .filter(({ tag }) => tag === ALTERNATIVE.ip)
      .map(({ content }) => formatIpAddress([...content])),
  };
}

/** The tags of alternative names: RFC 5280 4.2.1.6. */
const ALTERNATIVE = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/** A name is a sequence of sets of pairs: which attribute, and its text. */
function attributesOf(name: Uint8Array, oid: string): string[] {
  const pairs = childrenOf(readElements(name)[0]).flatMap(childrenOf).map(childrenOf);
  return pairs.flatMap(([identifier, text]) =>
    isIdentifier(identifier, oid) && text !== undefined ? [textOf(text)] : [],
  );
}

/** The names in a subjectAltName extension, whose value comes last. */
function alternativesOf(extension: Uint8Array): readonly DerElement[] {
  const value = childrenOf(readElements(extension)[0]).at(-1);
  return value?.tag === TAG.octetString ? childrenOf(readElements(value.content)[0]) : [];
}

function textOf({ content }: DerElement): string {
  return Buffer.from(content).toString("utf8");
}
