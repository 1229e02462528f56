/**
 * JSON Web Tokens as service accounts carry them: signed with RS256 or ES256, whatever the key is. Says nothing about
 * what claims mean (service-account-tokens.ts does). A token is a secret: nothing here puts one into a message.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isJsonObject, isMalformed, type JsonObject, parseJson, stringifyJson } from "@kubewright/core/meta";

/** A private key that signs, and what tokens signed with it say of it. */
export interface TokenKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly algorithm: "RS256" | "ES256";
  readonly keyId: string;
}

/** The token key of a private key: RSA, or elliptic on P-256. */
export function tokenKeyOf(privateKey: KeyObject): TokenKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: "spki", format: "der" });
  const keyId = createHash("sha256").update(der).digest("base64url");
  switch (privateKey.asymmetricKeyType) {
    case "rsa":
      return { privateKey, publicKey, algorithm: "RS256", keyId };
    case "ec":
      return { privateKey, publicKey, algorithm: "ES256", keyId };
    default:
      throw new TypeError(`service account keys are RSA or elliptic, not ${privateKey.asymmetricKeyType}`);
  }
}

/** A signed token with these claims. */
export function signToken(key: TokenKey, claims: JsonObject): string {
  const header = encode(stringifyJson({ alg: key.algorithm, kid: key.keyId }));
  const content = `${header}.${encode(stringifyJson(claims))}`;
  const signature = sign("sha256", Buffer.from(content), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

/** The claims of a token that the key signed; undefined for everything else. */
export function verifyToken(key: TokenKey, token: string): JsonObject | undefined {
  const [header = "", payload = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || signature === "" || decode(header)?.["alg"] !== key.algorithm) return undefined;
  const isGenuine = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    { key: key.publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return isGenuine ? decode(payload) : undefined;
}

/** The claims of a token, believed or not; undefined when it is none. */
export function claimsOf(token: string): JsonObject | undefined {
  const [, payload = "", signature] = token.split(".");
  return signature === undefined ? undefined : decode(payload);
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function decode(part: string): JsonObject | undefined {
  try {
    const value = parseJson(Buffer.from(part, "base64url"));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}
