/**
 * The API server: parse → authenticate → authorize → serve → answer. `createApiServer` puts the parts together; the
 * in-process transport and the listening sockets (listen.ts) both bring their requests to `handle`.
 */
import { type Clock, type Logger, type Random, silentLogger, type Transport } from "@kubewright/core/ports";
import type { AdmissionPlugin } from "../admission/admission.ts";
import { defaultAdmission } from "../admission/plugins.ts";
import { type Authenticate, type Authorize, alwaysAllow, trustConnection } from "../auth/authorization.ts";
import { createBuiltinStrategies } from "../builtin/strategies.ts";
import { cleanUpCustomResources } from "../custom/crd-cleanup.ts";
import { crdStrategy } from "../custom/crd-strategy.ts";
import { CRD_RESOURCE, serveCustomResources } from "../custom/custom-resources.ts";
import type { EndpointBackend, SpecialEndpoints } from "../endpoints/call.ts";
import { EventFrames } from "../endpoints/watch-frames.ts";
import { createTablePrinter, type TablePrinter } from "../printing/printer.ts";
import { builtinResources, type Strategies } from "../registry/builtin-resources.ts";
import { createObjectReader } from "../registry/reader.ts";
import { Registry } from "../registry/registry.ts";
import { administrator, type User } from "../request/user.ts";
import { createStorage } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { createBootstrapObjects } from "./bootstrap.ts";
import { createTransport } from "./in-process-transport.ts";
import { type ApiListener, createListen, type ListenOptions } from "./listening.ts";
import { createPaths, type PathEndpoint } from "./path-endpoints.ts";
import { createServe } from "./serve.ts";
import { defaultSpecialEndpoints } from "./special-endpoints.ts";

/** Options of `createApiServer`. */
export interface ApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** @default in memory */
  readonly storage?: Storage;
  /** @default silent */
  readonly log?: Logger;
  /** @default the connection is believed */
  readonly authenticate?: Authenticate;
  /** @default everything is allowed */
  readonly authorize?: Authorize;
  /** Admission plugins in their order. @default those of kube-apiserver that are on by default */
  readonly admission?: readonly AdmissionPlugin[];
  /** Strategies beside those of the built-in kinds, or in their place. @default none */
  readonly strategies?: Strategies;
  /** Endpoints beside the common ones, by verb and resource: "get pods/log". @default none */
  readonly endpoints?: SpecialEndpoints;
  /** Paths beside resources. @default none */
  readonly paths?: ReadonlyMap<string, PathEndpoint>;
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
  /** What it stores; for tools beside the API such as compaction. */
  readonly storage: Storage;
  /** Ends all watches, stops listening and closes the storage. */
  close(): Promise<void>;
}

/** Starts an API server; it serves at once. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const backend = createBackend(options);
  const stopCustomResources = serveCustomResources(backend.storage, backend.registry);
  const stopCleanup = cleanUpCustomResources(backend);
  await createBootstrapObjects(backend);
  const closing = new AbortController();
  const { authenticate = trustConnection, authorize = alwaysAllow } = options;
  const paths = createPaths(options.paths);
  const serve = createServe({ authenticate, authorize, paths, backend });
  const transportAs = (user: User): Transport =>
    createTransport({ serve, connection: { user }, closing: closing.signal });
  const { clock, random } = options;
  const listenOn = createListen({ serve, clock, random });
  const listeners: ApiListener[] = [];
  const close = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    closing.abort();
    await Promise.all(listeners.map((listener) => listener.close()));
    stopCleanup();
    stopCustomResources();
    backend.storage.close();
  };
  return {
    transport: transportAs(administrator),
    transportAs,
    async listen(listenOptions) {
      const listener = await listenOn(listenOptions);
      listeners.push(listener);
      return listener;
    },
    storage: backend.storage,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createBackend(options: ApiServerOptions): EndpointBackend {
  const { clock, random, storage = createStorage(), log = silentLogger } = options;
  const registry = new Registry();
  const strategies = new Map([
    ...createBuiltinStrategies(storage),
    [CRD_RESOURCE, crdStrategy] as const,
    ...(options.strategies ?? []),
  ]);
  for (const resource of builtinResources(strategies)) registry.add(resource);
  return {
    storage,
    registry,
    admission: options.admission ?? defaultAdmission,
    reader: createObjectReader(storage),
    printTable: options.printTable ?? createTablePrinter(clock),
    specialEndpoints: new Map([...defaultSpecialEndpoints, ...(options.endpoints ?? [])]),
    frames: new EventFrames(),
    clock,
    random,
    log,
  };
}
