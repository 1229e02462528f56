/**
 * How to reach an API server: from a kubeconfig's context, or from what a pod has. The HTTP transport takes it. Asked in this order, as
 * operators of controller-runtime are used to: an explicit path, $KUBECONFIG, the pod's service account, ~/.kube/config.
 */
import type { Clock, Files } from "@kubewright/core/ports";
import { systemClock, systemFiles, systemProcess } from "@kubewright/node";
import type { Impersonation } from "../client/client.ts";
import type { HttpTransportOptions } from "../transport/http-transport.ts";
import { proxyFromEnvironment } from "../transport/proxy.ts";
import type { TlsSettings } from "../transport/tls-settings.ts";
import { combined } from "./combined.ts";
import { configurationError } from "./configuration-error.ts";
import { clusterOf, contextOf, userOf } from "./context-parts.ts";
import { type CredentialSource, rotatingFile, tokenFile } from "./credentials.ts";
import type { RunProgram } from "./exec-plugin.ts";
import { type Kubeconfig, type KubeconfigCluster, type KubeconfigUser, readKubeconfig } from "./kubeconfig.ts";
import { checkNamedFiles } from "./named-files.ts";
import { credentialsOf } from "./user-credentials.ts";

/** Where a pod finds its service account. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A way to reach an API server. */
export interface Connection
  extends Pick<HttpTransportOptions, "server" | "tls" | "headers" | "onUnauthorized" | "proxyUrl"> {
  /** The namespace of the context or the pod. */
  readonly namespace: string;
  readonly impersonate?: Impersonation;
  /** Things to tell the user, such as an unverified server. */
  readonly warnings: readonly string[];
}

/** What finding a connection needs. */
export interface ConnectionOptions {
  /** Path of a kubeconfig. @default $KUBECONFIG, then the pod's, then ~/.kube/config */
  readonly kubeconfig?: string | undefined;
  /** @default the current context */
  readonly context?: string | undefined;
  /** @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default the machine's */
  readonly files?: Files;
  /** @default real time */
  readonly clock?: Clock;
  /** Runs credential programs that a kubeconfig names. @default they are refused */
  readonly runProgram?: RunProgram | undefined;
  /** Whether credential programs may ask somebody by standard input. @default false */
  readonly stdinIsTerminal?: boolean | undefined;
  /** Told what went wrong later on without keeping requests from being sent. @default nobody */
  readonly warn?: ((text: string) => void) | undefined;
}

/** The options with everything that has a default. */
type Ports = ConnectionOptions & Required<Pick<ConnectionOptions, "env" | "files" | "clock">>;

/**
 * Finds the way to the API server. Throws with the places that were looked at when there is none.
 * @example using transport = createHttpTransport(await findConnection());
 */
export async function findConnection(given: ConnectionOptions = {}): Promise<Connection> {
  const { env = systemProcess.env, files = systemFiles, clock = systemClock, kubeconfig } = given;
  const options = { ...given, env, files, clock };
  const named = kubeconfig === undefined || kubeconfig === "" ? env["KUBECONFIG"] : kubeconfig;
  if (named !== undefined && named !== "") {
    const found = await readKubeconfig(named === kubeconfig ? [named] : named.split(":"), files);
    if (found === undefined) {
      throw configurationError(
        `the kubeconfig ${named} does not exist; point --kubeconfig or $KUBECONFIG to another one`,
      );
    }
    return contextConnection(found, options);
  }
  const inCluster = await podConnection(options);
  if (inCluster !== undefined) return inCluster;
  const home = `${env["HOME"] ?? ""}/.kube/config`;
  const found = await readKubeconfig([home], files);
  if (found !== undefined) return contextConnection(found, options);
  throw configurationError(`no cluster: pass --kubeconfig, set KUBECONFIG, create ${home}, or run in a pod`);
}

/** The connection of a context. */
async function contextConnection(config: Kubeconfig, options: Ports): Promise<Connection> {
  const context = contextOf(config, options.context ?? config.currentContext);
  const cluster = clusterOf(context, config);
  const user = userOf(context, config);
  const path = config.userFiles.get(context.user ?? "") ?? "";
  const credentials = credentialsOf(user, { ...options, cluster, place: { path, user: context.user ?? "" } });
  const impersonate = impersonationOf(user, context.user ?? "");
  await checkNamedFiles(context, config, options.files);
  const proxyUrl = cluster["proxy-url"] ?? proxyFromEnvironment(cluster.server, options.env);
  return {
    server: cluster.server,
    tls: tlsOf(cluster, user, { credentials, options }),
    headers: () => credentials.headers(),
    onUnauthorized: (refused) => credentials.renew?.(refused),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(impersonate === undefined ? {} : { impersonate }),
    namespace: context.namespace || "default",
    warnings:
      cluster["insecure-skip-tls-verify"] === true ? [`the certificate of ${cluster.server} is not verified`] : [],
  };
}

/** The connection of a pod; undefined outside of one. */
async function podConnection({ env, files, clock }: Ports): Promise<Connection | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host === undefined || host === "" || port === undefined) return undefined;
  const ca = rotatingFile(`${SERVICE_ACCOUNT}/ca.crt`, files, clock);
  const credentials = tokenFile(`${SERVICE_ACCOUNT}/token`, files, clock);
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const proxyUrl = proxyFromEnvironment(server, env);
  const written = await files.read(`${SERVICE_ACCOUNT}/namespace`);
  return {
    server,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    tls: combined([ca], ([ca]) => ({ ca })),
    headers: () => credentials.headers(),
    namespace: env["POD_NAMESPACE"] || new TextDecoder().decode(written).trim() || "default",
    warnings: [],
  };
}

function tlsOf(
  cluster: KubeconfigCluster,
  user: KubeconfigUser,
  { credentials, options }: { readonly credentials: CredentialSource; readonly options: Ports },
): () => TlsSettings | Promise<TlsSettings> {
  const ca = pem(cluster["certificate-authority-data"], cluster["certificate-authority"], options);
  const cert = pem(user["client-certificate-data"], user["client-certificate"], options);
  const key = pem(user["client-key-data"], user["client-key"], options);
  return combined([ca, cert, key, () => credentials.certificate()], ([ca, cert, key, given]) => ({
    ca,
    cert,
    key,
    serverName: cluster["tls-server-name"],
    insecureSkipVerify: cluster["insecure-skip-tls-verify"],
    ...given,
  }));
}

/** PEM that stands in the kubeconfig itself, or in a file that may be rotated; undefined where there is none. */
function pem(
  data: string | undefined,
  path: string | undefined,
  { files, clock }: Ports,
): () => Uint8Array | undefined | Promise<Uint8Array> {
  if (data !== undefined && data !== "") {
    const bytes = new Uint8Array(Buffer.from(data, "base64"));
    return () => bytes;
  }
  return path === undefined || path === "" ? () => undefined : rotatingFile(path, files, clock);
}

function impersonationOf(user: KubeconfigUser, name: string): Impersonation | undefined {
  const { as = "", "as-uid": uid = "", "as-groups": groups = [], "as-user-extra": extra = {} } = user;
  const more = {
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  if (as !== "") return { user: as, ...more };
  if (Object.keys(more).length === 0) return undefined;
  throw configurationError(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
}
