/**
 * Credentials that change while a process runs, such as token files that are rotated. Each is asked for every request and keeps what it
 * has for as long as it may. exec-plugin.ts and oidc.ts beside have those that somebody else gives.
 */
import type { Clock, Files, Headers } from "@kubewright/core/ports";
import type { TlsSettings } from "../transport/tls-settings.ts";
import { combined } from "./combined.ts";

/** How long the content of a file is believed. */
const FILE_MS_MAX = 30_000;

type ClientCertificate = Pick<TlsSettings, "cert" | "key">;

/** Where credentials come from. What is known is answered at once. */
export interface CredentialSource {
  /** Headers of a request. */
  headers(): Headers | Promise<Headers>;
  /** A client certificate, when the source gives one. */
  certificate(): ClientCertificate | Promise<ClientCertificate>;
  /** Forgets what the server did not take (the headers of a refused request), where something else may be had. */
  renew?(refused: Headers): void;
}

/** The same headers for ever, and no certificate. */
export function fixedHeaders(headers: Headers): CredentialSource {
  const none: ClientCertificate = {};
  return { headers: () => headers, certificate: () => none };
}

/** A file that is read anew when it may have been rotated. */
export function rotatingFile(path: string, files: Files, clock: Clock): () => Uint8Array | Promise<Uint8Array> {
  let known: { readonly bytes: Uint8Array; readonly atMs: number } | undefined;
  const read = async (): Promise<Uint8Array> => {
    const bytes = await files.read(path);
    if (bytes === undefined) throw new Error(`the file ${path} of a certificate, key or token does not exist`);
    known = { bytes, atMs: clock.monotonic() };
    return bytes;
  };
  return () => (known !== undefined && clock.monotonic() - known.atMs < FILE_MS_MAX ? known.bytes : read());
}

/** The same token for ever. */
export function fixedToken(token: string): CredentialSource {
  return fixedHeaders(bearerHeaders(token));
}

/** A token in a file that somebody rotates. */
export function tokenFile(path: string, files: Files, clock: Clock): CredentialSource {
  const headers = combined([rotatingFile(path, files, clock)], ([bytes]) =>
    bearerHeaders(new TextDecoder().decode(bytes).trim()),
  );
  return { ...fixedHeaders({}), headers };
}

/** A token that is asked for with every request. */
export function bearer(token: () => Promise<string>): CredentialSource {
  return { ...fixedHeaders({}), headers: async () => bearerHeaders(await token()) };
}

function bearerHeaders(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}
