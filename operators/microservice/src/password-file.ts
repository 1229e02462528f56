/** The password of a microservice that asks for one, as a Secret holds it. */
import { createHash } from "node:crypto";
import type { Random } from "kubewright";

const USER = "admin";
const PASSWORD_BYTES = 18;

/** The data of a Secret with a new password: the file that an ingress controller reads, and the password for people. */
export function passwordFile(random: Random): Record<string, string> {
  const password = Buffer.from(random.bytes(PASSWORD_BYTES)).toString("base64url");
  const digest = createHash("sha1").update(password).digest("base64");
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return { auth: encode(`${USER}:{SHA}${digest}\n`), user: encode(USER), password: encode(password) };
}
