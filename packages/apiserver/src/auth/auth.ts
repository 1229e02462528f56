/**
 * Authentication and authorization of one server, put together from its options. The server asks `authenticate` and
 * `authorize` for each request; admission plugins and the review endpoints use the parts below.
 */
import type { Clock, Random } from "@kubewright/core/ports";
import type { ObjectReader } from "../resource/strategy.ts";
import type { Storage } from "../storage/storage.ts";
import {
  type AuthenticateToken,
  createAuthenticate,
  createAuthenticateToken,
  type StaticToken,
} from "./authenticate.ts";
import { type Authenticate, type Authorize, alwaysAllow } from "./authorization.ts";
import { createRbacAuthorize } from "./rbac/authorize.ts";
import { RuleIndex } from "./rbac/rule-index.ts";
import { type ServiceAccountTokenOptions, ServiceAccountTokens } from "./tokens/service-account-tokens.ts";

/** How a server knows its users, and what it lets them do. */
export interface AuthOptions {
  /** Tokens that stand for users. @default none */
  readonly tokens?: readonly StaticToken[];
  /** @default a new key */
  readonly serviceAccounts?: ServiceAccountTokenOptions;
  /** Who may do what: by the roles that are stored, everybody everything, or as the function says. @default "RBAC" */
  readonly authorization?: "RBAC" | "AlwaysAllow" | Authorize;
}

/** The parts of authentication and authorization. */
export interface Auth {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly authenticateToken: AuthenticateToken;
  readonly rules: RuleIndex;
  readonly serviceAccountTokens: ServiceAccountTokens;
  close(): void;
}

/** What they are made from. */
export interface AuthPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly reader: ObjectReader;
}

/** Puts them together; roles and bindings are followed until `close`. */
export function createAuth(ports: AuthPorts, options: AuthOptions = {}): Auth {
  const rules = new RuleIndex(ports.storage);
  const authorize = toAuthorize(options.authorization ?? "RBAC", rules);
  const serviceAccountTokens = new ServiceAccountTokens(ports, options.serviceAccounts);
  const authenticateToken = createAuthenticateToken(options.tokens ?? [], serviceAccountTokens);
  return {
    authenticate: createAuthenticate({ authenticateToken, authorize }),
    authorize,
    authenticateToken,
    rules,
    serviceAccountTokens,
    close: () => rules.close(),
  };
}

function toAuthorize(mode: "RBAC" | "AlwaysAllow" | Authorize, rules: RuleIndex): Authorize {
  if (mode === "RBAC") return createRbacAuthorize(rules);
  return mode === "AlwaysAllow" ? alwaysAllow : mode;
}
