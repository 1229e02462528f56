/** A registry in this process, for tests: what the distribution specification asks for of pulls and pushes, in memory. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A running registry. */
export interface TestRegistry extends AsyncDisposable {
  /** "127.0.0.1:5000" */
  readonly host: string;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  /** The bytes of a manifest by tag or digest. */
  manifest(repository: string, reference: string): Uint8Array;
}

interface Stored {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Starts one; with a user, every request needs a token that only the user gets. */
export async function startRegistry(login: { user?: string; password?: string }): Promise<TestRegistry> {
  const blobs = new Map<string, Uint8Array>();
  const manifests = new Map<string, Stored>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  const token = "token-of-the-user";
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://registry");
    if (url.pathname === "/token") return giveToken(request, response);
    if (login.user !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      const realm = `http://${request.headers.host}/token`;
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="test"` }).end();
      return;
    }
    const [, repository = "", kind, rest = ""] = /^\/v2\/(.+)\/(blobs|manifests)\/(.*)$/.exec(url.pathname) ?? [];
    if (kind === "manifests") return serveManifest(`${repository}:${rest}`, repository, request, response);
    if (kind === "blobs") return serveBlob(rest, url, request, response);
    response.writeHead(404).end();
  };
  const giveToken = (request: IncomingMessage, response: ServerResponse): void => {
    const expected = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    if (request.headers.authorization !== expected) response.writeHead(401).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token }));
  };
  const serveManifest = async (
    key: string,
    repository: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (request.method === "PUT") {
      const stored = { type: request.headers["content-type"] ?? "", bytes: await bodyOf(request) };
      manifests.set(key, stored).set(`${repository}:${digestOf(stored.bytes)}`, stored);
      response.writeHead(201).end();
      return;
    }
    const found = manifests.get(key);
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": found.type }).end(found.bytes);
  };
  const serveBlob = async (
    rest: string,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (request.method === "POST") response.writeHead(202, { location: `${url.pathname}1` }).end();
    else if (request.method === "PUT") {
      const bytes = await bodyOf(request);
      const digest = url.searchParams.get("digest") ?? "";
      const matches = digest === digestOf(bytes);
      if (matches) blobs.set(digest, bytes);
      response.writeHead(matches ? 201 : 400).end();
    } else if (!blobs.has(rest)) response.writeHead(404).end();
    else response.writeHead(200).end(request.method === "HEAD" ? undefined : blobs.get(rest));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    blobs,
    manifest: (repository, reference) => manifests.get(`${repository}:${reference}`)?.bytes ?? new Uint8Array(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
