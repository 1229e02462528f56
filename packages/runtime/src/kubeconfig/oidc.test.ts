import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Files } from "@kubewright/core/ports";
import { systemClock, systemRandom } from "@kubewright/node";
import { createCertificateAuthority } from "@kubewright/node/certificates";
import { parse, stringify } from "yaml";
import { findConnection } from "./connection.ts";

const authority = createCertificateAuthority({ clock: systemClock, random: systemRandom });

/** An ID token that expires at a time. */
function tokenUntil(seconds: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: seconds })}.signature`;
}

/** An identity provider whose answers to refreshes are given. */
class Provider implements AsyncDisposable {
  readonly forms: string[] = [];
  status = 200;
  tokens: object = {};
  /** The kubeconfig, by what was written to it last; undefined refuses writes. */
  kept: string | undefined = "";
  readonly warnings: string[] = [];
  readonly #server: ReturnType<typeof createServer>;

  private constructor() {
    const pair = authority.issue({ commonName: "idp", ipAddresses: ["127.0.0.1"], usages: ["server auth"] });
    this.#server = createServer({ cert: pair.certificate, key: pair.key }, async (request, response) => {
      if (request.url === "/realm/.well-known/openid-configuration") {
        response.end(JSON.stringify({ token_endpoint: `${this.url}/token` }));
        return;
      }
      const form = Buffer.concat(await request.toArray()).toString();
      this.forms.push(`${request.url} ${request.headers.authorization ?? ""} ${form}`);
      response.writeHead(this.status).end(JSON.stringify(this.tokens));
    });
  }

  static async start(): Promise<Provider> {
    const provider = new Provider();
    await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
    return provider;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The headers of requests with a kubeconfig of this provider. */
  async headers(config: Readonly<Record<string, string>>, nowMs: () => number, form: "json" | "yaml" = "json") {
    const user = {
      "auth-provider": {
        name: "oidc",
        config: {
          "idp-issuer-url": `${this.url}/realm`,
          "idp-certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
          "client-id": "kubernetes",
          ...config,
        },
      },
    };
    const kubeconfig = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://api" } }],
      users: [{ name: "u", user }],
    };
    this.kept = form === "yaml" ? `# mine\n${stringify(kubeconfig)}` : JSON.stringify(kubeconfig);
    const files: Files = {
      read: async () => Buffer.from(this.kept ?? JSON.stringify(kubeconfig)),
      write: async (_path, content, options) => {
        if (this.kept === undefined) throw new Error("EROFS: read-only file system");
        assert.equal(options?.mode, 0o600);
        this.kept = String(content);
      },
    };
    const clock = { now: nowMs, monotonic: nowMs, schedule: () => () => {} };
    const warn = (text: string): void => void this.warnings.push(text);
    const connection = await findConnection({ kubeconfig: "/k", env: {}, files, clock, warn });
    return async () => (await connection.headers?.())?.["authorization"];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test("R37: an ID token is used while it is valid, then renewed by the refresh token, which may change", async () => {
  await using provider = await Provider.start();
  let nowMs = 0;
  const first = tokenUntil(100);
  const authorization = await provider.headers({ "id-token": first, "refresh-token": "r1" }, () => nowMs);
  assert.equal(await authorization(), `Bearer ${first}`);
  assert.deepEqual(provider.forms, []);
  nowMs = 95_000;
  const second = tokenUntil(200);
  provider.tokens = { id_token: second, refresh_token: "r2" };
  assert.deepEqual(await Promise.all([authorization(), authorization()]), [`Bearer ${second}`, `Bearer ${second}`]);
  assert.deepEqual(provider.forms, ["/token  grant_type=refresh_token&refresh_token=r1&client_id=kubernetes"]);
  nowMs = 195_000;
  provider.tokens = { id_token: tokenUntil(300) };
  await authorization();
  assert.match(provider.forms[1] ?? "", /refresh_token=r2/);
});

test("R37: a client with a secret proves itself with it", async () => {
  await using provider = await Provider.start();
  provider.tokens = { id_token: tokenUntil(100) };
  const authorization = await provider.headers({ "refresh-token": "r", "client-secret": "s3cret" }, () => 0);
  await authorization();
  const basic = Buffer.from("kubernetes:s3cret").toString("base64");
  assert.deepEqual(provider.forms, [`/token Basic ${basic} grant_type=refresh_token&refresh_token=r`]);
});

test("S11: a renewal that is refused names the provider and the remedy, and no secret", async () => {
  await using provider = await Provider.start();
  provider.status = 400;
  const authorization = await provider.headers({ "refresh-token": "r-secret", "client-secret": "s3cret" }, () => 0);
  await assert.rejects(authorization(), (error: Error) => {
    assert.match(error.message, /the identity provider answered 400 to https:.*\/token; log in again/);
    return !/secret/.test(error.message);
  });
  const expired = await provider.headers({ "id-token": tokenUntil(-100) }, () => 0);
  await assert.rejects(expired(), /has expired and cannot be renewed; log in again/);
});

for (const form of ["json", "yaml"] as const) {
  test(`renewed tokens are written back into the kubeconfig, which stays as it was otherwise (${form})`, async () => {
    await using provider = await Provider.start();
    const idToken = tokenUntil(100);
    provider.tokens = { id_token: idToken, refresh_token: "r2" };
    const authorization = await provider.headers({ "refresh-token": "r1" }, () => 0, form);
    const before = parse(provider.kept ?? "");
    await authorization();
    assert.equal(provider.kept?.startsWith("# mine"), form === "yaml");
    const { config } = before.users[0].user["auth-provider"];
    Object.assign(config, { "id-token": idToken, "refresh-token": "r2" });
    assert.deepEqual(parse(provider.kept ?? ""), before);
  });
}

test("renewed tokens that cannot be written are used all the same, with a warning that has none of them", async () => {
  await using provider = await Provider.start();
  const idToken = tokenUntil(100);
  provider.tokens = { id_token: idToken };
  const authorization = await provider.headers({ "refresh-token": "r1" }, () => 0);
  provider.kept = undefined;
  assert.equal(await authorization(), `Bearer ${idToken}`);
  assert.deepEqual(provider.warnings, [
    'the renewed tokens of "u" could not be written to /k: EROFS: read-only file system',
  ]);
});
