/**
 * The API server: parse → authenticate → authorize → serve → answer. `createApiServer` puts the parts together; the
 * in-process transport and the listening sockets (listen.ts) both bring their requests to `handle`.
 */
import type { Transport } from "@kubewright/core/ports";
import type { SignOptions } from "@kubewright/node/certificates";
import { expireEvents } from "../builtin/events/event-expiry.ts";
import { keepIpAddresses } from "../builtin/services/ip-addresses.ts";
import { cleanUpCustomResources } from "../custom/crd-cleanup.ts";
import { serveCustomResources } from "../custom/custom-resources.ts";
import { administrator, type User } from "../request/user.ts";
import { aggregateClusterRoles } from "../roles/aggregation.ts";
import { createDefaultRoles } from "../roles/default-roles.ts";
import type { Storage } from "../storage/storage.ts";
import { createBootstrapObjects } from "./bootstrap.ts";
import { createBackend } from "./create-backend.ts";
import { createTransport } from "./in-process-transport.ts";
import type { ApiListener, Listening, ListenOptions } from "./listening.ts";
import type { ApiServerOptions } from "./options.ts";
import { createOwnAuthority } from "./own-authority.ts";
import { createPaths } from "./path-endpoints.ts";
import { createServe } from "./serve.ts";

/** A running API server. */
export interface ApiServer extends AsyncDisposable {
  /** Requests without a socket, as an administrator. */
  readonly transport: Transport;
  /** Requests without a socket, as `user`. */
  transportAs(user: User): Transport;
  /** Listens for connections, on loopback unless told otherwise. */
  listen(options?: ListenOptions): Promise<ApiListener>;
  /** Signs the token for a Secret of type kubernetes.io/service-account-token, for whoever fills such Secrets. */
  issueSecretToken(account: TokenSubject, secret: TokenSubject): string;
  /**
   * Signs a certificate request, PEM, by the authority whose client certificates it believes unless it listens with given ones; for whoever
   * signs CertificateSigningRequests. Throws `MalformedError`.
   */
  signCertificate(request: string, options: SignOptions): Promise<string>;
  /** What it stores; for tools beside the API such as compaction. */
  readonly storage: Storage;
  /** Ends all watches, stops listening and closes the storage. */
  close(): Promise<void>;
}

/** An object that a token is about. */
export interface TokenSubject {
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
}

/** Starts an API server; it serves at once. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { backend, auth, close: closeParts } = createBackend(options);
  const stopCustomResources = serveCustomResources(backend);
  const stopCleanup = cleanUpCustomResources(backend);
  const stopExpiry = expireEvents(backend.storage, backend.clock);
  const stopAddresses = keepIpAddresses(backend);
  await createBootstrapObjects(backend);
  if ((options.authorization ?? "RBAC") === "RBAC") await createDefaultRoles(backend);
  const stopAggregation = aggregateClusterRoles(backend);
  const closing = new AbortController();
  const { authenticate, authorize } = auth;
  const paths = createPaths(options.paths);
  const { faults, inFlightMax } = options;
  const serve = createServe({ authenticate, authorize, paths, backend, faults, inFlightMax });
  const transportAs = (user: User): Transport =>
    createTransport({ serve, connection: { user }, closing: closing.signal });
  const ownAuthority = createOwnAuthority(options);
  let listening: Promise<Listening> | undefined;
  const loadListening = async (): Promise<Listening> =>
    (await import("./listening.ts")).createListening({ serve, ownAuthority, backend });
  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    await (await listening)?.close();
    stopExpiry();
    stopAddresses();
    stopCleanup();
    stopCustomResources();
    stopAggregation();
    closeParts();
    backend.storage.close();
  };
  return {
    transport: transportAs(administrator),
    transportAs,
    async listen(listenOptions) {
      listening ??= loadListening();
      return (await listening).listen(listenOptions);
    },
    issueSecretToken: (account, secret) =>
      auth.serviceAccountTokens.issueLegacy(account.metadata ?? {}, secret.metadata?.name ?? ""),
    signCertificate: async (request, signOptions) => (await ownAuthority()).sign(request, signOptions),
    storage: backend.storage,
    close,
    [Symbol.asyncDispose]: close,
  };
}
