/**
 * Credentials that change while a process runs, such as token files that are rotated. Each is asked for every request and keeps what it
 * has for as long as it may. exec-plugin.ts and oidc.ts beside have those that somebody else gives.
 */
import type { Clock, Files, Headers } from "@kubewright/core/ports";
import type { TlsSettings } from "../transport/tls-settings.ts";

/** How long the content of a file is believed. */
const FILE_MS_MAX = 30_000;

/** Where credentials come from. */
export interface CredentialSource {
  /** Headers of a request. */
  headers(): Promise<Headers>;
  /** A client certificate, when the source gives one. */
  certificate(): Promise<Pick<TlsSettings, "cert" | "key">>;
  /** Forgets what the server did not take (the headers of a refused request), where something else may be had. */
  renew?(refused: Headers): void;
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

/** A token that is asked for with every request. */
export function bearer(token: () => Promise<string>): CredentialSource {
  return {
    headers: async () => ({ authorization: `Bearer ${await token()}` }),
    certificate: async () => ({}),
  };
}
