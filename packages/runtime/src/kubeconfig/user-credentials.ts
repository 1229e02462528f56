/**
 * Which credentials a kubeconfig's user has, by what the file says: a program, a token, a token file, an identity provider, a password or
 * none. Client certificates are part of TLS and may stand beside. connection.ts asks for them.
 */
import type { Clock, Files } from "@kubewright/core/ports";
import { configurationError } from "./configuration-error.ts";
import { type CredentialSource, fixedHeaders, fixedToken, tokenFile } from "./credentials.ts";
import { execCredentials, type RunProgram } from "./exec-plugin.ts";
import { keepTokens, type TokenEntries, type TokenPlace } from "./keep-tokens.ts";
import type { ExecPlugin, KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { oidcCredentials } from "./oidc.ts";

/** What the credentials of a user may need beside the user. */
export interface UserPorts {
  readonly clock: Clock;
  readonly files: Files;
  readonly cluster: KubeconfigCluster;
  /** The user's name, and the file it stands in. */
  readonly place: TokenPlace;
  readonly runProgram?: RunProgram | undefined;
  readonly stdinIsTerminal?: boolean | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

/** The credentials of a user. Throws when there are some that cannot be used. */
export function credentialsOf(user: KubeconfigUser, ports: UserPorts): CredentialSource {
  const { files, clock } = ports;
  if (user.exec !== undefined) return programOf(user.exec, ports);
  if (user.tokenFile !== undefined) return tokenFile(user.tokenFile, files, clock);
  if (user.token !== undefined) return fixedToken(user.token);
  const provider = user["auth-provider"];
  if (provider?.name === "oidc") {
    return oidcCredentials(provider.config ?? {}, { clock, files, keep: (tokens) => keepOrWarn(tokens, ports) });
  }
  if (provider !== undefined) {
    throw configurationError(
      `the kubeconfig's auth-provider ${JSON.stringify(provider.name)} is not supported; use an exec plugin`,
    );
  }
  if (user.username !== undefined) {
    const basic = Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64");
    return fixedHeaders({ authorization: `Basic ${basic}` });
  }
  return fixedHeaders({});
}

function programOf(plugin: ExecPlugin, ports: UserPorts): CredentialSource {
  const { runProgram: run, stdinIsTerminal = false, place } = ports;
  if (run === undefined) {
    const command = JSON.stringify(plugin.command);
    throw configurationError(
      `the kubeconfig wants to run ${command} for credentials; allow it with --allow-exec-credentials`,
    );
  }
  return execCredentials(plugin, { ...ports, run, stdinIsTerminal, user: place.user });
}

/** A kubeconfig that cannot be written is no reason to stop: the new tokens serve as long as the process runs. */
async function keepOrWarn(tokens: TokenEntries, { place, files, warn }: UserPorts): Promise<void> {
  try {
    await keepTokens(place, tokens, files);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn?.(`the renewed tokens of ${JSON.stringify(place.user)} could not be written to ${place.path}: ${why}`);
  }
}
