/**
 * The API server: parse → authenticate → authorize → serve → answer. `createApiServer` puts the parts together; the
 * in-process transport and the listening sockets (listen.ts) both bring their requests to `handle`.
 */
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import type { SignOptions } from "@kubewright/node/certificates";
import { type AdmissionOptions, createAdmission } from "../admission/plugins.ts";
import { type Auth, type AuthOptions, createAuth } from "../auth/auth.ts";
import { expireEvents } from "../builtin/events/event-expiry.ts";
import { keepIpAddresses } from "../builtin/services/ip-addresses.ts";
import { storedForms } from "../builtin/stored-forms.ts";
import { createBuiltinStrategies } from "../builtin/strategies.ts";
import { cleanUpCustomResources } from "../custom/crd-cleanup.ts";
import { crdStrategy } from "../custom/crd-strategy.ts";
import { CRD_RESOURCE, serveCustomResources } from "../custom/custom-resources.ts";
import type { EndpointBackend, SpecialEndpoints } from "../endpoints/call.ts";
import { EventFrames } from "../endpoints/watch-frames.ts";
import type { TablePrinter } from "../printing/print-request.ts";
import { createTablePrinter } from "../printing/table-printer.ts";
import { builtinResources, type Strategies } from "../registry/builtin-resources.ts";
import { createObjectReader } from "../registry/reader.ts";
import { Registry } from "../registry/registry.ts";
import { shapeOf } from "../registry/shape.ts";
import { administrator, type User } from "../request/user.ts";
import { authEndpoints } from "../reviews/endpoints.ts";
import { aggregateClusterRoles } from "../roles/aggregation.ts";
import { createDefaultRoles } from "../roles/default-roles.ts";
import { createStorage } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import type { PodHooks } from "../subresources/pod-hooks.ts";
import { createCallWebhook, type ResolveService, type SendWebhook } from "../webhook/caller.ts";
import { createHttpsSender } from "../webhook/https-transport.ts";
import { publishClientAuthorities } from "./authentication-info.ts";
import { createBootstrapObjects } from "./bootstrap.ts";
import type { ChooseFaults } from "./faults.ts";
import { keepIdentityLease } from "./identity-lease.ts";
import { createTransport } from "./in-process-transport.ts";
import { Listeners } from "./listeners.ts";
import { type ApiListener, createListen, type ListenOptions } from "./listening.ts";
import { createOwnAuthority } from "./own-authority.ts";
import { createPaths, type PathEndpoint } from "./path-endpoints.ts";
import { createServe } from "./serve.ts";
import { defaultSpecialEndpoints } from "./special-endpoints.ts";

/** Options of `createApiServer`. */
export interface ApiServerOptions extends AuthOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** @default in memory */
  readonly storage?: Storage;
  /** @default silent */
  readonly log?: Logger;
  /** Which admission plugins are on. @default those of kube-apiserver as envtest runs it */
  readonly admission?: AdmissionOptions;
  /** How services that webhooks name are reached, and how webhooks are called. @default HTTPS; services have no endpoints */
  readonly webhooks?: { readonly resolveService?: ResolveService; readonly send?: SendWebhook };
  /** Strategies beside those of the built-in kinds, or in their place. @default none */
  readonly strategies?: Strategies;
  /** Logs of pods and connections into them, by whoever runs pods. @default nobody does */
  readonly pods?: PodHooks;
  /** Endpoints beside the common ones, by verb and resource: "get pods/log". @default none */
  readonly endpoints?: SpecialEndpoints;
  /** Paths beside resources. @default none */
  readonly paths?: ReadonlyMap<string, PathEndpoint>;
  /**
   * How many requests of one user are served at once; more are answered with 429 and Retry-After. Members of system:masters,
   * watches, logs and connections into pods are not counted. @default 600
   */
  readonly inFlightMax?: number;
  /** What goes wrong with requests, for tests of clients. @default nothing */
  readonly faults?: ChooseFaults;
  /** @default the columns of kube-apiserver */
  readonly printTable?: TablePrinter;
}

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
  const onClientAuthorities = (certificates: string): void => publishClientAuthorities(backend, certificates);
  const listenOn = createListen({ serve, ownAuthority, onClientAuthorities });
  const listeners = new Listeners(() => keepIdentityLease(backend));
  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    await listeners.close();
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
    listen: async (listenOptions) => listeners.add(await listenOn(listenOptions)),
    issueSecretToken: (account, secret) =>
      auth.serviceAccountTokens.issueLegacy(account.metadata ?? {}, secret.metadata?.name ?? ""),
    signCertificate: async (request, signOptions) => (await ownAuthority()).sign(request, signOptions),
    storage: backend.storage,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Parts {
  readonly backend: EndpointBackend;
  readonly auth: Auth;
  close(): void;
}

function createBackend(options: ApiServerOptions): Parts {
  const { clock, random, storage = createStorage(), log = silentLogger } = options;
  const registry = new Registry();
  const strategies = new Map([
    ...createBuiltinStrategies(storage),
    [CRD_RESOURCE, crdStrategy] as const,
    ...(options.strategies ?? []),
  ]);
  for (const resource of builtinResources(strategies, storedForms)) registry.add(resource);
  const reader = createObjectReader(storage);
  const auth = createAuth({ clock, random, storage, reader }, options);
  const sender = createHttpsSender();
  const callWebhook = createCallWebhook({ clock, send: sender.send, ...options.webhooks });
  const backend = {
    storage,
    registry,
    admission: createAdmission(
      {
        ...auth,
        storage,
        clock,
        random,
        callWebhook,
        equivalentsOf: (resource) => registry.equivalentsOf(resource),
        findKind: (apiVersion, kind) => registry.findKind(apiVersion, kind),
        schemaOf: async (resource) => (await shapeOf(resource)).schema,
      },
      options.admission,
    ),
    reader,
    callWebhook,
    authorize: auth.authorize,
    printTable: options.printTable ?? createTablePrinter(clock),
    specialEndpoints: new Map([
      ...defaultSpecialEndpoints(options.pods ?? {}),
      ...authEndpoints(auth),
      ...(options.endpoints ?? []),
    ]),
    frames: new EventFrames(),
    clock,
    random,
    log,
  };
  const close = (): void => {
    auth.close();
    sender.close();
  };
  return { backend, auth, close };
}
