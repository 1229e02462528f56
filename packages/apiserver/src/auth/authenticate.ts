/**
 * Who makes a request: the transport's own user, a client certificate, a bearer token, or nobody. The server calls it
 * first; impersonation follows at once, so that all later steps know one user. Tokens stay out of every message and log.
 */
import { hash, timingSafeEqual } from "node:crypto";
import type { Headers } from "@kubewright/core/ports";
import { unauthorized } from "@kubewright/core/protocol";
import type { ClientCertificate, Connection } from "../request/request.ts";
import { anonymous, type User } from "../request/user.ts";
import type { Authenticate, Authorize } from "./authorization.ts";
import { impersonate } from "./impersonation.ts";
import type { ServiceAccountTokens, TokenVerdict } from "./tokens/service-account-tokens.ts";

/** A token that stands for a user. */
export interface StaticToken {
  readonly token: string;
  /** Gets the group system:authenticated beside its own. */
  readonly user: User;
}

/** Checks a bearer token; undefined when nobody knows it. */
export type AuthenticateToken = (token: string, audiences?: readonly string[]) => TokenVerdict | undefined;

/** Makes the check of tokens: static ones first, then those of service accounts. */
export function createAuthenticateToken(
  staticTokens: readonly StaticToken[],
  accounts: ServiceAccountTokens,
): AuthenticateToken {
  const known = staticTokens.map(({ token, user }) => ({ digest: digest(token), user: withAuthenticated(user) }));
  return (token, audiences = accounts.audiences) => {
    const given = digest(token);
    const match = known.find((each) => timingSafeEqual(each.digest, given));
    return match === undefined ? accounts.verify(token, audiences) : { user: match.user, audiences, isFinal: true };
  };
}

/** What authentication needs. */
export interface AuthenticateParts {
  readonly authenticateToken: AuthenticateToken;
  readonly authorize: Authorize;
}

/** Makes the authentication step. Throws a 401 for credentials that are wrong. */
export function createAuthenticate({ authenticateToken, authorize }: AuthenticateParts): Authenticate {
  const latest: LatestCredentials = new WeakMap();
  return ({ headers, connection }) => {
    const user = userOf({ headers, connection }, { authenticateToken, latest });
    return impersonate(user, headers, authorize);
  };
}

/** What the last header of a connection turned out to stand for, for good. A connection is told nothing of another's. */
type LatestCredentials = WeakMap<Connection, { readonly authorization: string; readonly user: User }>;

/** A certificate stands before a token; a token before the in-process user, who may try one out that way. */
function userOf(
  { headers, connection }: { readonly headers: Headers; readonly connection: Connection },
  { authenticateToken, latest }: Pick<AuthenticateParts, "authenticateToken"> & { readonly latest: LatestCredentials },
): User {
  if (connection.certificate !== undefined) return certificateUser(connection.certificate);
  const { authorization = "" } = headers;
  if (authorization === "") return connection.user ?? anonymous;
  const known = latest.get(connection);
  if (known !== undefined && known.authorization === authorization) return known.user;
  const token = bearerToken(headers);
  if (token === undefined) return connection.user ?? anonymous;
  const verdict = authenticateToken(token);
  if (verdict?.user === undefined) throw unauthorized();
  if (verdict.isFinal === true) latest.set(connection, { authorization, user: verdict.user });
  return verdict.user;
}

function certificateUser({ commonName, organizations }: ClientCertificate): User {
  return withAuthenticated({ name: commonName, groups: organizations });
}

function withAuthenticated(user: User): User {
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}

/** The token of "Authorization: Bearer …"; other schemes are no credentials here. */
function bearerToken({ authorization = "" }: Headers): string | undefined {
  const [scheme = "", token = ""] = authorization.trim().split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

/** Of equal length for all tokens, so that comparing tells nothing. */
function digest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
