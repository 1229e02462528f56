/**
 * Writes renewed OpenID Connect tokens into the kubeconfig they came from, as kubectl does: a refresh token may be good for one use, so
 * the next program needs the new one. Comments and everything else in the file stay. oidc.ts renews, connection.ts puts both together.
 */
import type { Files } from "@kubewright/core/ports";
import type { Document } from "yaml";

/** Which user of which file has the tokens. */
export interface TokenPlace {
  readonly path: string;
  readonly user: string;
}

/** The entries of the provider's configuration that change. */
export type TokenEntries = Readonly<Record<"id-token" | "refresh-token", string>>;

/** Credentials are nobody else's to read. */
const MODE = 0o600;

/** Replaces the tokens; throws when the file cannot be written or has no such user any more. */
export async function keepTokens({ path, user }: TokenPlace, tokens: TokenEntries, files: Files): Promise<void> {
  const bytes = await files.read(path);
  if (bytes === undefined) throw new Error(`the kubeconfig ${path} is gone`);
  const { parseDocument } = await import("yaml");
  const text = new TextDecoder().decode(bytes);
  const document = parseDocument(text, { maxAliasCount: 100 } as object);
  const index = indexOfUser(document, user);
  if (index === -1) throw new Error(`the kubeconfig ${path} has no user ${JSON.stringify(user)} any more`);
  for (const [name, token] of Object.entries(tokens)) {
    document.setIn(["users", index, "user", "auth-provider", "config", name], token);
  }
  const isJson = text.trimStart().startsWith("{");
  await files.write(path, isJson ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString(), {
    mode: MODE,
  });
}

function indexOfUser(document: Document.Parsed, user: string): number {
  const { users } = document.toJS() as { readonly users?: readonly { readonly name?: string }[] };
  return (users ?? []).findIndex(({ name }) => name === user);
}
