/** The configuration and the password of a microservice, as objects hold them. */
import { createHash } from "node:crypto";
import type { Random } from "kubewright";

const USER = "admin";
const PASSWORD_BYTES = 18;

/** Lines of key=value as the data of a ConfigMap; blank lines and comments are left out. */
export function toEntries(config: string): Record<string, string> {
  const lines = config.split("\n").map((line) => line.trim());
  const pairs = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const equals = line.indexOf("=");
      return equals === -1 ? [line, ""] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

/** Changes with the configuration, so that pods of a new one are new pods. */
export function checksum(config: string): string {
  return createHash("sha256").update(config).digest("hex").slice(0, 16);
}

/** The data of a Secret with a new password: the file that an ingress controller reads, and the password for people. */
export function passwordFile(random: Random): Record<string, string> {
  const password = Buffer.from(random.bytes(PASSWORD_BYTES)).toString("base64url");
  const digest = createHash("sha1").update(password).digest("base64");
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return { auth: encode(`${USER}:{SHA}${digest}\n`), user: encode(USER), password: encode(password) };
}
