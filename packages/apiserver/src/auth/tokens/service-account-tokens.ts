/**
 * Tokens of service accounts: issued for a TokenRequest, and believed while their time, their service account and the
 * object they are bound to are there. The key is given (so that tokens outlive the process) or made when first needed.
 */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import { type Clock, type Random, randomUuid } from "@kubewright/core/ports";
import type { User } from "../../request/user.ts";
import type { ApiObject } from "../../resource/object.ts";
import type { ObjectReader } from "../../resource/strategy.ts";
import { serviceAccountGroups, serviceAccountUserName } from "../service-account.ts";
import { signToken, type TokenKey, tokenKeyOf, verifyToken } from "./jwt.ts";

/** How service account tokens are signed and told apart. */
export interface ServiceAccountTokenOptions {
  /** RSA, or elliptic on P-256. @default a new elliptic one */
  readonly privateKey?: KeyObject;
  /** @default "https://kubernetes.default.svc.cluster.local" */
  readonly issuer?: string;
  /** Whom tokens for this server are addressed to. @default the issuer */
  readonly audiences?: readonly string[];
}

/** What tokens are made and checked with. */
export interface TokenPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly reader: ObjectReader;
}

/** What a new token is for. */
export interface TokenContent {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  /** Seconds after which use of the token counts as stale. @default never */
  readonly warnAfterSeconds?: number;
  readonly pod?: ApiObject;
  readonly secret?: ApiObject;
  readonly node?: ApiObject;
}

/** Whom a token belongs to and whom it is addressed to, or why it is not believed. */
export type TokenVerdict =
  | {
      readonly user: User;
      readonly audiences: readonly string[];
      /** It will be the same whenever the token is shown again. @default false */
      readonly isFinal?: boolean;
    }
  | { readonly user?: never; readonly error: string };

const ISSUER_DEFAULT = "https://kubernetes.default.svc.cluster.local";
const LEGACY_ISSUER = "kubernetes/serviceaccount";
/** Clocks differ: so long a token is good beyond its times. */
const LEEWAY_SECONDS = 60;
/** Verified signatures are remembered, because checking one costs more than all the rest of a small request. */
const REMEMBERED_MAX = 1024;
const EXTRA_PREFIX = "authentication.kubernetes.io";

/** Issues and checks the tokens of one server's service accounts. */
export class ServiceAccountTokens {
  readonly issuer: string;
  /** Whom tokens for this server are addressed to. */
  readonly audiences: readonly string[];
  readonly #ports: TokenPorts;
  readonly #givenKey: KeyObject | undefined;
  readonly #remembered = new Map<string, JsonObject>();
  #key: TokenKey | undefined;

  constructor(ports: TokenPorts, options: ServiceAccountTokenOptions = {}) {
    this.#ports = ports;
    this.#givenKey = options.privateKey;
    this.issuer = options.issuer ?? ISSUER_DEFAULT;
    this.audiences = options.audiences ?? [this.issuer];
  }

  /** A new token. */
  issue(content: TokenContent): string {
    const { account, audiences, lifetimeSeconds, warnAfterSeconds = 0, pod, secret, node } = content;
    const nowSeconds = Math.floor(this.#ports.clock.now() / 1000);
    const { namespace = "", name = "" } = account.metadata;
    return signToken(this.#signingKey(), {
      aud: audiences,
      exp: nowSeconds + lifetimeSeconds,
      iat: nowSeconds,
      iss: this.issuer,
      jti: randomUuid(this.#ports.random),
      "kubernetes.io": {
        namespace,
        ...(node === undefined ? {} : { node: reference(node) }),
        ...(pod === undefined ? {} : { pod: reference(pod) }),
        ...(secret === undefined ? {} : { secret: reference(secret) }),
        serviceaccount: reference(account),
        ...(warnAfterSeconds === 0 ? {} : { warnafter: nowSeconds + warnAfterSeconds }),
      },
      nbf: nowSeconds,
      sub: serviceAccountUserName({ namespace, name }),
    });
  }

  /** The token of a Secret of type kubernetes.io/service-account-token: good as long as the Secret is there. */
  issueLegacy(account: { namespace?: string; name?: string; uid?: string }, secretName: string): string {
    const { namespace = "", name = "", uid = "" } = account;
    return signToken(this.#signingKey(), {
      iss: LEGACY_ISSUER,
      "kubernetes.io/serviceaccount/namespace": namespace,
      "kubernetes.io/serviceaccount/secret.name": secretName,
      "kubernetes.io/serviceaccount/service-account.name": name,
      "kubernetes.io/serviceaccount/service-account.uid": uid,
      sub: serviceAccountUserName({ namespace, name }),
    });
  }

  /** Whether a token is believed by who accepts one of `audiences`. Undefined when it is none of this server's. */
  verify(token: string, audiences: readonly string[] = this.audiences): TokenVerdict | undefined {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return undefined;
    if (getKey(claims, "iss") === LEGACY_ISSUER) return this.#verifyLegacy(claims, token);
    const issued = textList(getKey(claims, "aud"));
    const common = issued.filter((audience) => audiences.includes(audience));
    if (common.length === 0) {
      return {
        error: `token audiences [${quoted(issued)}] is invalid for the target audiences [${quoted(audiences)}]`,
      };
    }
    const error = this.#timeError(claims) ?? this.#bindingError(claims);
    return error === undefined ? { user: userOf(claims), audiences: common } : { error };
  }

  #signingKey(): TokenKey {
    this.#key ??= tokenKeyOf(this.#givenKey ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
    return this.#key;
  }

  #claimsOf(token: string): JsonObject | undefined {
    const known = this.#remembered.get(token);
    if (known !== undefined) return known;
    const claims = verifyToken(this.#signingKey(), token);
    const issuer = claims === undefined ? undefined : getKey(claims, "iss");
    if (claims === undefined || (issuer !== this.issuer && issuer !== LEGACY_ISSUER)) return undefined;
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size >= REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest);
    this.#remembered.set(token, claims);
    return claims;
  }

  #timeError(claims: JsonObject): string | undefined {
    const nowSeconds = this.#ports.clock.now() / 1000;
    if (nowSeconds > Number(getKey(claims, "exp") ?? 0) + LEEWAY_SECONDS) return "service account token has expired";
    const notBefore = Number(getKey(claims, "nbf") ?? 0);
    return nowSeconds < notBefore - LEEWAY_SECONDS ? "service account token is not valid yet" : undefined;
  }

  /** The service account and what the token is bound to must be the very ones the token was issued for. */
  #bindingError(claims: JsonObject): string | undefined {
    const { namespace, serviceaccount, pod, secret, node } = boundOf(claims);
    const account = this.#ports.reader.get("serviceaccounts", namespace, serviceaccount.name);
    if (account === undefined) return `serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`;
    if (account.metadata.uid !== serviceaccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    }
    if (this.#isDeleted(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    return (
      this.#objectError("secret", this.#lookUp("secrets", namespace, secret), secret) ??
      this.#objectError("pod", this.#lookUp("pods", namespace, pod), pod) ??
      (pod === undefined ? this.#objectError("node", this.#lookUp("nodes", "", node), node) : undefined)
    );
  }

  #lookUp(resource: string, namespace: string, bound: Reference | undefined): ApiObject | undefined {
    return bound === undefined ? undefined : this.#ports.reader.get(resource, namespace, bound.name);
  }

  #objectError(what: string, object: ApiObject | undefined, bound: Reference | undefined): string | undefined {
    if (bound === undefined) return undefined;
    if (object === undefined || this.#isDeleted(object)) return "service account token has been invalidated";
    if (object.metadata.uid === bound.uid) return undefined;
    return `${what} UID (${object.metadata.uid}) does not match service account ${what} ref claim (${bound.uid})`;
  }

  #isDeleted({ metadata: { deletionTimestamp } }: ApiObject): boolean {
    if (deletionTimestamp === undefined) return false;
    return Date.parse(deletionTimestamp) < this.#ports.clock.now() - LEEWAY_SECONDS * 1000;
  }

  #verifyLegacy(claims: JsonObject, token: string): TokenVerdict {
    const text = (key: string): string => String(getKey(claims, `kubernetes.io/serviceaccount/${key}`) ?? "");
    const namespace = text("namespace");
    const name = text("service-account.name");
    const uid = text("service-account.uid");
    const secret = this.#ports.reader.get("secrets", namespace, text("secret.name"));
    const account = this.#ports.reader.get("serviceaccounts", namespace, name);
    const { data } = (secret ?? {}) as { readonly data?: JsonObject };
    if (data === undefined || getKey(data, "token") !== Buffer.from(token).toString("base64")) {
      return { error: "service account token has been invalidated" };
    }
    if (account?.metadata.uid !== uid) return { error: `service account ${namespace}/${name} has been deleted` };
    return { user: accountUser({ namespace, name, uid }, {}), audiences: this.audiences };
  }
}

interface Reference {
  readonly name: string;
  readonly uid: string;
}

function reference({ metadata: { name = "", uid = "" } }: ApiObject): JsonObject {
  return { name, ...(uid === "" ? {} : { uid }) };
}

function boundOf(claims: JsonObject) {
  const own = getKey(claims, "kubernetes.io");
  const kubernetes = isJsonObject(own) ? own : {};
  return {
    namespace: String(getKey(kubernetes, "namespace") ?? ""),
    serviceaccount: toReference(getKey(kubernetes, "serviceaccount")) ?? { name: "", uid: "" },
    pod: toReference(getKey(kubernetes, "pod")),
    secret: toReference(getKey(kubernetes, "secret")),
    node: toReference(getKey(kubernetes, "node")),
  };
}

function toReference(value: Json | undefined): Reference | undefined {
  if (!isJsonObject(value)) return undefined;
  return { name: String(getKey(value, "name") ?? ""), uid: String(getKey(value, "uid") ?? "") };
}

function userOf(claims: JsonObject): User {
  const { namespace, serviceaccount, pod, node } = boundOf(claims);
  const told = (what: string, bound: Reference | undefined): [string, readonly string[]][] =>
    bound === undefined
      ? []
      : [
          [`${EXTRA_PREFIX}/${what}-name`, [bound.name]],
          ...(bound.uid === "" ? [] : [[`${EXTRA_PREFIX}/${what}-uid`, [bound.uid]] as [string, readonly string[]]]),
        ];
  const extra = Object.fromEntries([
    [`${EXTRA_PREFIX}/credential-id`, [`JTI=${String(getKey(claims, "jti") ?? "")}`]],
    ...told("node", node),
    ...told("pod", pod),
  ]);
  return accountUser({ namespace, ...serviceaccount }, extra);
}

function accountUser(
  account: { readonly namespace: string; readonly name: string; readonly uid: string },
  extra: Readonly<Record<string, readonly string[]>>,
): User {
  return {
    name: serviceAccountUserName(account),
    uid: account.uid,
    groups: [...serviceAccountGroups(account.namespace), "system:authenticated"],
    extra,
  };
}

function textList(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return isJsonArray(value) ? value.map(String) : [];
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" ");
}
