/**
 * Credentials from a program that a kubeconfig names (`exec`), as `client.authentication.k8s.io` says. It is asked when there are none,
 * when they expire and when the server did not take them: once, however many requests wait. What it prints never stands in an error;
 * refusals are worded as kubectl's are. connection.ts makes it.
 */
import type { Clock, Files, Headers } from "@kubewright/core/ports";
import { printable } from "../events/printable.ts";
import { configurationError } from "./configuration-error.ts";
import type { CredentialSource } from "./credentials.ts";
import type { ExecPlugin, KubeconfigCluster } from "./kubeconfig.ts";

/** A program's credentials are renewed this long before they expire. */
const EXPIRY_MARGIN_MS = 10_000;

const V1BETA1 = "client.authentication.k8s.io/v1beta1";
const API_VERSIONS: readonly string[] = ["client.authentication.k8s.io/v1", V1BETA1];
const INTERACTIVE_MODES: readonly string[] = ["Never", "IfAvailable", "Always"];

/** What belongs to a cluster alone but is for the program stands in an extension of this name. */
const CLUSTER_EXTENSION = "client.authentication.k8s.io/exec";

const HINT_BYTES_MAX = 4096;

/** Runs a program and returns what it prints. */
export type RunProgram = (program: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it gets our standard input, to ask its user. */
  readonly interactive: boolean;
}) => Promise<string>;

/** What a credential program needs. */
export interface ExecPorts {
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly files: Files;
  /** Whether somebody can be asked. */
  readonly stdinIsTerminal: boolean;
  /** The cluster that the credentials are for. */
  readonly cluster: KubeconfigCluster;
  /** The name of the kubeconfig's user. */
  readonly user: string;
}

interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

/** Credentials from a program. Throws when what the kubeconfig says of it cannot be. */
export function execCredentials(plugin: ExecPlugin, ports: ExecPorts): CredentialSource {
  checkPlugin(plugin, ports.user);
  const { clock } = ports;
  let known: { readonly status: ExecStatus; readonly untilMs: number } | undefined;
  let asking: Promise<ExecStatus> | undefined;
  const ask = async (): Promise<ExecStatus> => {
    const status = await askPlugin(plugin, ports);
    known = { status, untilMs: expiryMs(status) - EXPIRY_MARGIN_MS };
    return status;
  };
  const current = async (): Promise<ExecStatus> => {
    if (known !== undefined && clock.now() < known.untilMs) return known.status;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    headers: async () => bearerOf(await current()),
    async certificate() {
      const { clientCertificateData: cert, clientKeyData: key } = await current();
      return cert === undefined || key === undefined ? {} : { cert, key };
    },
    renew(refused) {
      // Many requests may be refused at once; those with what has been replaced meanwhile say nothing of the new one.
      if (known !== undefined && bearerOf(known.status)["authorization"] === refused["authorization"])
        known = undefined;
    },
  };
}

function bearerOf({ token }: ExecStatus): Headers {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function expiryMs({ expirationTimestamp: expiry }: ExecStatus): number {
  return expiry === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiry);
}

function checkPlugin({ command, apiVersion, interactiveMode }: ExecPlugin, user: string): void {
  const mode = interactiveMode ?? "";
  if (typeof command !== "string" || command === "")
    throw configurationError(`command must be specified for ${user} to use exec authentication plugin`);
  if (!API_VERSIONS.includes(apiVersion))
    throw configurationError(`exec plugin: invalid apiVersion ${JSON.stringify(apiVersion)}`);
  if (mode === "" && apiVersion !== V1BETA1)
    throw configurationError(`interactiveMode must be specified for ${user} to use exec authentication plugin`);
  if (mode !== "" && !INTERACTIVE_MODES.includes(mode))
    throw configurationError(`invalid interactiveMode for ${user}: ${JSON.stringify(mode)}`);
}

/** Whether the program gets our standard input; it may want what is not there, but not need it. */
function isInteractive({ command, interactiveMode }: ExecPlugin, stdinIsTerminal: boolean): boolean {
  if (interactiveMode !== "Always") return interactiveMode !== "Never" && stdinIsTerminal;
  if (stdinIsTerminal) return true;
  const remedy = `${JSON.stringify(command)} must be able to ask its user; run this in a terminal`;
  throw new Error(`exec plugin cannot support interactive mode: standard input is not a terminal; ${remedy}`);
}

async function askPlugin(plugin: ExecPlugin, ports: ExecPorts): Promise<ExecStatus> {
  const { apiVersion, command, args } = plugin;
  const interactive = isInteractive(plugin, ports.stdinIsTerminal);
  const asked = plugin.provideClusterInfo === true ? { cluster: await clusterInfo(ports) } : {};
  const info = { apiVersion, kind: "ExecCredential", spec: { interactive, ...asked } };
  const named = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
  const env = { ...named, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const printed = await ports.run({ command, args: args ?? [], env, interactive }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`exec: ${why}${hintOf(plugin)}`, { cause: error });
  });
  return statusOf(printed, plugin);
}

function hintOf({ installHint = "" }: ExecPlugin): string {
  return installHint === "" ? "" : `; ${printable(installHint, HINT_BYTES_MAX)}`;
}

/** What was printed may hold secrets, so nothing of it stands in an error but the name of a version. */
function statusOf(printed: string, plugin: ExecPlugin): ExecStatus {
  const { kind, apiVersion, status } = parseAnswer(printed);
  if (kind !== "ExecCredential") {
    throw new Error(
      `the credential program ${JSON.stringify(plugin.command)} did not print an ExecCredential${hintOf(plugin)}`,
    );
  }
  if (apiVersion !== plugin.apiVersion) {
    const returned = API_VERSIONS.includes(apiVersion ?? "") ? apiVersion : "another one";
    throw new Error(
      `exec plugin is configured to use API version ${plugin.apiVersion}, plugin returned version ${returned}`,
    );
  }
  if (status === undefined) throw new Error("exec plugin didn't return a status field");
  const { token, clientCertificateData: cert, clientKeyData: key } = status;
  if (!token && !cert && !key) throw new Error("exec plugin didn't return a token or cert/key pair");
  if (!cert !== !key) throw new Error("exec plugin returned only certificate or key, not both");
  return status;
}

interface ExecAnswer {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly status?: ExecStatus;
}

function parseAnswer(text: string): ExecAnswer {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** What a credential program may be told of the cluster. */
async function clusterInfo({ cluster, files }: ExecPorts): Promise<object> {
  const path = cluster["certificate-authority"] ?? "";
  const read = path === "" ? undefined : await files.read(path);
  const data = cluster["certificate-authority-data"] ?? (read && Buffer.from(read).toString("base64"));
  const config = cluster.extensions?.find(({ name }) => name === CLUSTER_EXTENSION)?.extension;
  return {
    server: cluster.server,
    ...(data === undefined ? {} : { "certificate-authority-data": data }),
    ...copied(cluster, "tls-server-name"),
    ...copied(cluster, "insecure-skip-tls-verify"),
    ...copied(cluster, "proxy-url"),
    ...copied(cluster, "disable-compression"),
    ...(config === undefined ? {} : { config }),
  };
}

function copied(cluster: KubeconfigCluster, key: keyof KubeconfigCluster): object {
  return cluster[key] === undefined ? {} : { [key]: cluster[key] };
}
