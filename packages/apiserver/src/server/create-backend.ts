/** The parts of an API server below its transports: storage, registry, admission, who may do what, and what endpoints need. */
import { silentLogger } from "@kubewright/core/ports";
import { createAdmission } from "../admission/plugins.ts";
import { type Auth, createAuth } from "../auth/auth.ts";
import { storedForms } from "../builtin/stored-forms.ts";
import { createBuiltinStrategies } from "../builtin/strategies.ts";
import { crdStrategy } from "../custom/crd-strategy.ts";
import { CRD_RESOURCE } from "../custom/custom-resources.ts";
import type { EndpointBackend } from "../endpoints/call.ts";
import { EventFrames } from "../endpoints/watch-frames.ts";
import { createTablePrinter } from "../printing/table-printer.ts";
import { builtinResources } from "../registry/builtin-resources.ts";
import { createObjectReader } from "../registry/reader.ts";
import { Registry } from "../registry/registry.ts";
import { shapeOf } from "../registry/shape.ts";
import { authEndpoints } from "../reviews/endpoints.ts";
import { createStorage } from "../storage/memory.ts";
import { createCallWebhook } from "../webhook/caller.ts";
import { createHttpsSender } from "../webhook/https-transport.ts";
import type { ApiServerOptions } from "./options.ts";
import { defaultSpecialEndpoints } from "./special-endpoints.ts";

/** What a server is made of. */
export interface ServerParts {
  readonly backend: EndpointBackend;
  readonly auth: Auth;
  /** Ends what they began. */
  close(): void;
}

/** Puts the parts below the server together. */
export function createBackend(options: ApiServerOptions): ServerParts {
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
