/**
 * Credentials that change while a process runs: token files that are rotated, programs that give tokens for a while. Each is asked for
 * every request and keeps what it has for as long as it may.
 */
import type { Clock, Files, Headers } from "@kubewright/core/ports";
import type { TlsSettings } from "../transport/tls-settings.ts";
import type { ExecPlugin } from "./kubeconfig.ts";

/** How long the content of a file is believed. */
const FILE_MS_MAX = 30_000;

/** A program's credentials are renewed this long before they expire. */
const EXPIRY_MARGIN_MS = 10_000;

/** Runs a program and returns what it prints. */
export type RunProgram = (program: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}) => Promise<string>;

/** Where credentials come from. */
export interface CredentialSource {
  /** Headers of a request. */
  headers(): Promise<Headers>;
  /** A client certificate, when the source gives one. */
  certificate(): Promise<Pick<TlsSettings, "cert" | "key">>;
  /** Forgets what the server did not take, where something else may be had. */
  renew?(): void;
}

/** A file that is read anew when it may have been rotated. */
export function rotatingFile(path: string, files: Files, clock: Clock): () => Promise<Uint8Array> {
  let known: { readonly bytes: Uint8Array; readonly atMs: number } | undefined;
  return async () => {
    if (known !== undefined && clock.monotonic() - known.atMs < FILE_MS_MAX) return known.bytes;
    const bytes = await files.read(path);
    if (bytes === undefined) throw new Error(`the file ${path} that the kubeconfig names does not exist`);
    known = { bytes, atMs: clock.monotonic() };
    return bytes;
  };
}

/** The same token for ever. */
export function fixedToken(token: string): CredentialSource {
  return bearer(async () => token);
}

/** A token in a file that somebody rotates. */
export function tokenFile(path: string, files: Files, clock: Clock): CredentialSource {
  const read = rotatingFile(path, files, clock);
  return bearer(async () => new TextDecoder().decode(await read()).trim());
}

/** What a credential program needs. */
export interface ExecPorts {
  readonly run: RunProgram;
  readonly clock: Clock;
  /** What the kubeconfig says of the cluster, for programs that ask for it. */
  cluster(): Promise<object>;
}

/** Credentials from a program, as `client.authentication.k8s.io` says. */
export function execCredentials(plugin: ExecPlugin, ports: ExecPorts): CredentialSource {
  const { clock } = ports;
  let known: { readonly status: ExecStatus; readonly untilMs: number } | undefined;
  const current = async (): Promise<ExecStatus> => {
    if (known !== undefined && clock.now() < known.untilMs) return known.status;
    const status = await askPlugin(plugin, ports);
    const expiryMs = status.expirationTimestamp === undefined ? undefined : Date.parse(status.expirationTimestamp);
    known = { status, untilMs: expiryMs === undefined ? Number.POSITIVE_INFINITY : expiryMs - EXPIRY_MARGIN_MS };
    return status;
  };
  return {
    async headers(): Promise<Headers> {
      const { token } = await current();
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    },
    async certificate() {
      const { clientCertificateData: cert, clientKeyData: key } = await current();
      return cert === undefined || key === undefined ? {} : { cert, key };
    },
    renew() {
      known = undefined;
    },
  };
}

interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

async function askPlugin(plugin: ExecPlugin, { run, cluster }: ExecPorts): Promise<ExecStatus> {
  const { apiVersion, command, args, env } = plugin;
  const asked = plugin.provideClusterInfo === true ? { cluster: await cluster() } : {};
  const info = { apiVersion, kind: "ExecCredential", spec: { interactive: false, ...asked } };
  const text = await run({
    command,
    args: args ?? [],
    env: {
      ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
  });
  const answer = parseAnswer(text);
  if (answer?.kind !== "ExecCredential" || answer.status === undefined) {
    const hint = plugin.installHint === undefined ? "" : `; ${plugin.installHint}`;
    throw new Error(`the credential program ${JSON.stringify(command)} did not print an ExecCredential${hint}`);
  }
  return answer.status;
}

/** What was printed may hold secrets, so it never stands in an error. */
function parseAnswer(text: string): { readonly kind?: string; readonly status?: ExecStatus } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A token that is asked for with every request. */
export function bearer(token: () => Promise<string>): CredentialSource {
  return {
    headers: async () => ({ authorization: `Bearer ${await token()}` }),
    certificate: async () => ({}),
  };
}
