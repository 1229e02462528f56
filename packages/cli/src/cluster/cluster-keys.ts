/**
 * The keys of an embedded cluster that keeps its data: its certificate authority and the key of service accounts' tokens. What they
 * signed (kubeconfigs of people, issued certificates, tokens in Secrets) is good after a restart as well. Made with the cluster.
 */
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import type { ClusterOptions } from "@kubewright/cluster";
import { systemRandom } from "@kubewright/node";
import type { CommandContext } from "../command/command-context.ts";
import { CommandError } from "../command/command-error.ts";

/** The keys as they stand in the file; all PEM. */
interface StoredKeys {
  readonly certificate: string;
  readonly key: string;
  readonly serviceAccountKey: string;
}

/** What a cluster takes of them. */
type ClusterKeys = Required<Pick<ClusterOptions, "certificateAuthority" | "serviceAccounts">>;

/** The keys in a file, which is written when it is not there. */
export async function keptKeys(path: string, context: Pick<CommandContext, "clock" | "files">): Promise<ClusterKeys> {
  const bytes = await context.files.read(path);
  if (bytes === undefined) return toOptions(await makeKeys(path, context));
  try {
    return toOptions(JSON.parse(Buffer.from(bytes).toString("utf8")) as StoredKeys);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`the keys in ${path} cannot be read: ${why}`, {
      remedy: "remove the file; what the cluster has signed until now is not believed any more then",
    });
  }
}

function toOptions({ certificate, key, serviceAccountKey }: StoredKeys): ClusterKeys {
  createPrivateKey(key); // Throws here, not when the cluster listens.
  return {
    certificateAuthority: { certificate, key },
    serviceAccounts: { privateKey: createPrivateKey(serviceAccountKey) },
  };
}

async function makeKeys(path: string, { clock, files }: Pick<CommandContext, "clock" | "files">): Promise<StoredKeys> {
  const { createCertificateAuthority } = await import("@kubewright/node/certificates");
  const { certificate, key } = createCertificateAuthority({ clock, random: systemRandom });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serviceAccountKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const keys = { certificate, key, serviceAccountKey };
  await files.write(path, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  return keys;
}
