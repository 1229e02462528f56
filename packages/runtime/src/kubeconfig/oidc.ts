/**
 * OpenID Connect credentials of a kubeconfig (`auth-provider: oidc`): the ID token while it is valid, then new ones by the refresh token.
 * New tokens are handed to `keep`, which puts them where they came from. Tokens and client secrets never stand in an error.
 */
import { type Clock, type Files, readBody } from "@kubewright/core/ports";
import { createHttpTransport, type HttpTransport } from "../transport/http-transport.ts";
import type { TlsSettings } from "../transport/tls-settings.ts";
import { bearer, type CredentialSource } from "./credentials.ts";
import type { TokenEntries } from "./keep-tokens.ts";

/** A token is renewed this long before it expires. */
const EXPIRY_MARGIN_MS = 10_000;

/** The entries of the provider's configuration, by name. */
type OidcConfig = Readonly<Record<string, string | undefined>>;

/** What renewing works with. */
export interface OidcPorts {
  readonly clock: Clock;
  readonly files: Files;
  /** Keeps renewed tokens for the programs that come after this one. It does not fail. */
  keep(tokens: TokenEntries): Promise<void>;
}

interface Provider {
  readonly config: OidcConfig;
  readonly files: Files;
}

/** Credentials from an identity provider. */
export function oidcCredentials(config: OidcConfig, { clock, files, keep }: OidcPorts): CredentialSource {
  let idToken = config["id-token"] ?? "";
  let refreshToken = config["refresh-token"];
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const tokens = await requestTokens({ config, files }, refreshToken);
    idToken = tokens.idToken;
    refreshToken = tokens.refreshToken ?? refreshToken;
    await keep({ "id-token": idToken, "refresh-token": refreshToken ?? "" });
  };
  return bearer(async () => {
    if (clock.now() < expiryMs(idToken) - EXPIRY_MARGIN_MS) return idToken;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    await renewal;
    return idToken;
  });
}

/** When a token expires, by its own word; what is no token has expired. */
function expiryMs(token: string): number {
  const [, payload = ""] = token.split(".");
  try {
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { readonly exp?: number };
    return exp === undefined ? Number.NEGATIVE_INFINITY : exp * 1000;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string | undefined;
}

async function requestTokens(provider: Provider, refreshToken: string | undefined): Promise<Tokens> {
  const { config } = provider;
  const issuer = config["idp-issuer-url"];
  if (issuer === undefined || refreshToken === undefined) {
    throw new Error("the kubeconfig's OIDC token has expired and cannot be renewed; log in again");
  }
  const { token_endpoint: endpoint } = await exchange(
    provider,
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  );
  if (typeof endpoint !== "string")
    throw new Error(`the identity provider ${issuer} does not say where its tokens are`);
  const answer = await exchange(
    provider,
    endpoint,
    new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      ...(config["client-secret"] === undefined ? { client_id: config["client-id"] ?? "" } : {}),
    }),
  );
  const { id_token: idToken, refresh_token: next } = answer;
  if (typeof idToken !== "string") throw new Error(`the identity provider ${issuer} gave no ID token; log in again`);
  return { idToken, refreshToken: typeof next === "string" ? next : undefined };
}

/** One request to the provider: a form is posted, with the client's secret if it has one. */
async function exchange(
  provider: Provider,
  address: string,
  form?: URLSearchParams,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(address);
  using transport: HttpTransport = createHttpTransport({ server: url.origin, tls: () => providerTls(provider) });
  const response = await transport.send({
    method: form === undefined ? "GET" : "POST",
    path: url.pathname + url.search,
    headers: { accept: "application/json", ...(form === undefined ? {} : formHeaders(provider.config)) },
    ...(form === undefined ? {} : { body: form.toString() }),
  });
  const body = await readBody(response.body);
  if (response.status !== 200)
    throw new Error(`the identity provider answered ${response.status} to ${url.origin}${url.pathname}; log in again`);
  return JSON.parse(Buffer.from(body).toString("utf8"));
}

function formHeaders(config: OidcConfig): Readonly<Record<string, string>> {
  const { "client-id": id = "", "client-secret": secret } = config;
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret ?? "")}`).toString("base64");
  return {
    "content-type": "application/x-www-form-urlencoded",
    ...(secret === undefined ? {} : { authorization: `Basic ${basic}` }),
  };
}

async function providerTls({ config, files }: Provider): Promise<TlsSettings> {
  const { "idp-certificate-authority-data": data = "", "idp-certificate-authority": path = "" } = config;
  if (data !== "") return { ca: new Uint8Array(Buffer.from(data, "base64")) };
  return path === "" ? {} : { ca: await files.read(path) };
}
