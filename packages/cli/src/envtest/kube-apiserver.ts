/**
 * What stands in for kube-apiserver: the embedded API server as a process of its own, configured by kube-apiserver's
 * flags. It knows those that envtest gives and the ones that suites add; of any other it says that it has no effect.
 */
import { createPrivateKey } from "node:crypto";
import { join } from "node:path";
import { type ApiServerOptions, createApiServer, type TlsOptions } from "@kubewright/apiserver";
import type { Files } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { type RunContext, whenAborted } from "./etcd-server.ts";
import { flagOf, type GoFlags, listFlagOf } from "./go-flags.ts";

const PORT_DEFAULT = 6443;
/** Flags that change what the server does. */
const KNOWN_FLAGS = new Set([
  "api-audiences",
  "authorization-mode",
  "bind-address",
  "cert-dir",
  "client-ca-file",
  "disable-admission-plugins",
  "enable-admission-plugins",
  "secure-port",
  "service-account-issuer",
  "service-account-signing-key-file",
  "tls-cert-file",
  "tls-private-key-file",
  "token-auth-file",
]);
/** Flags whose default here is what envtest asks for, or that concern what is not there. */
const HARMLESS_FLAGS = new Set([
  "advertise-address",
  "allow-privileged",
  "etcd-servers",
  "insecure-port",
  "service-account-key-file",
  "service-cluster-ip-range",
  "v",
]);
/** Admission plugins of kube-apiserver that have nothing to do here. */
const ABSENT_PLUGINS = new Set([
  "AlwaysAdmit",
  "AlwaysPullImages",
  "ClusterTrustBundleAttest",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NodeDeclaredFeatureValidator",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodSecurity",
  "PodTolerationRestriction",
  "PodTopologyLabels",
  "RuntimeClass",
  "TaintNodesByCondition",
]);

/** What serving takes from outside. */
export interface ServeContext extends RunContext {
  readonly files: Files;
}

/** Serves until `stopped` aborts. Throws when it cannot start. */
export async function runKubeApiServer(flags: GoFlags, context: ServeContext): Promise<void> {
  noteIgnored(flags, context);
  const tls = await tlsOf(flags, context.files);
  await using server = await createApiServer(await serverOptions(flags, context));
  const host = flagOf(flags, "bind-address") ?? "127.0.0.1";
  const port = Number(flagOf(flags, "secure-port") ?? PORT_DEFAULT);
  const { url } = await server.listen({ host, port, tls });
  context.note(`kube-apiserver: listening on ${url}`);
  await whenAborted(context.stopped);
}

function noteIgnored(flags: GoFlags, { note }: RunContext): void {
  const ignored = [...flags.keys()].filter((name) => !KNOWN_FLAGS.has(name) && !HARMLESS_FLAGS.has(name));
  if (ignored.length > 0) note(`kube-apiserver: no effect here: ${ignored.map((name) => `--${name}`).join(", ")}`);
}

async function serverOptions(flags: GoFlags, { files }: ServeContext): Promise<ApiServerOptions> {
  const signingKey = flagOf(flags, "service-account-signing-key-file");
  const tokenFile = flagOf(flags, "token-auth-file");
  const issuer = flagOf(flags, "service-account-issuer");
  const audiences = listFlagOf(flags, "api-audiences");
  return {
    clock: systemClock,
    random: systemRandom,
    authorization: listFlagOf(flags, "authorization-mode").includes("RBAC") ? "RBAC" : "AlwaysAllow",
    admission: admissionOf(flags),
    ...(tokenFile === undefined ? {} : { tokens: parseTokens(await readText(files, tokenFile)) }),
    serviceAccounts: {
      ...(signingKey === undefined ? {} : { privateKey: createPrivateKey(await readText(files, signingKey)) }),
      ...(issuer === undefined ? {} : { issuer }),
      ...(audiences.length === 0 ? {} : { audiences }),
    },
  };
}

/** As kube-apiserver has it: service accounts are on unless a flag says otherwise. */
function admissionOf(flags: GoFlags): { readonly enable: readonly string[]; readonly disable: readonly string[] } {
  const present = (name: string): boolean => !ABSENT_PLUGINS.has(name);
  const disable = listFlagOf(flags, "disable-admission-plugins").filter(present);
  const enable = listFlagOf(flags, "enable-admission-plugins").filter(present);
  return { disable, enable: disable.includes("ServiceAccount") ? enable : [...enable, "ServiceAccount"] };
}

/** The certificates that flags name, or those of `--cert-dir`, which are made when they are not there. */
async function tlsOf(flags: GoFlags, files: Files): Promise<TlsOptions> {
  const folder = flagOf(flags, "cert-dir") ?? "/var/run/kubernetes";
  const certificatePath = flagOf(flags, "tls-cert-file") ?? join(folder, "apiserver.crt");
  const keyPath = flagOf(flags, "tls-private-key-file") ?? join(folder, "apiserver.key");
  if (flagOf(flags, "tls-cert-file") === undefined && (await files.read(certificatePath)) === undefined) {
    await makeCertificate(flags, files, { certificatePath, keyPath });
  }
  const clientAuthority = flagOf(flags, "client-ca-file");
  return {
    certificate: await readText(files, certificatePath),
    key: await readText(files, keyPath),
    clientAuthorities: clientAuthority === undefined ? [] : [await readText(files, clientAuthority)],
  };
}

async function makeCertificate(
  flags: GoFlags,
  files: Files,
  { certificatePath, keyPath }: { readonly certificatePath: string; readonly keyPath: string },
): Promise<void> {
  const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const host = flagOf(flags, "bind-address") ?? "127.0.0.1";
  const ipAddresses = [...new Set(["127.0.0.1", ...(host === "0.0.0.0" || host === "::" ? [] : [host])])];
  const { certificate, key } = authority.issue({
    commonName: "kube-apiserver",
    dnsNames: ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"],
    ipAddresses,
    usages: ["server auth"],
  });
  await files.write(certificatePath, `${certificate}${authority.certificate}`);
  await files.write(keyPath, key, { mode: 0o600 });
}

/** Lines of `token,user,uid,"group1,group2"`. */
function parseTokens(text: string): NonNullable<ApiServerOptions["tokens"]> {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [token = "", name = "", uid = "", ...groups] = line.trim().split(",");
      const names = groups.map((group) => group.replaceAll('"', "").trim()).filter((group) => group !== "");
      return { token, user: { name, groups: names, ...(uid === "" ? {} : { uid }) } };
    });
}

async function readText(files: Files, path: string): Promise<string> {
  const bytes = await files.read(path);
  if (bytes === undefined) throw new Error(`open ${path}: no such file or directory`);
  return Buffer.from(bytes).toString("utf8");
}
