/** `@kubewright/apiserver`: the embedded Kubernetes API server. */
export type { AdmissionPlugin, AdmissionRequest } from "./admission/admission.ts";
export type { AdmissionOptions } from "./admission/plugins.ts";
export type { AuthOptions } from "./auth/auth.ts";
export type { StaticToken } from "./auth/authenticate.ts";
export type {
  Action,
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorize,
  PathAttributes,
  ResourceAttributes,
} from "./auth/authorization.ts";
export type { ServiceAccountTokenOptions } from "./auth/tokens/service-account-tokens.ts";
export type { Endpoint, ResourceCall, SpecialEndpoints } from "./endpoints/call.ts";
export { administrator, anonymous, type User } from "./request/user.ts";
export type { ChooseFaults, Fault, FaultedRequest } from "./server/faults.ts";
export type { Listener, TlsOptions } from "./server/listen.ts";
export type { ApiListener, ListenOptions } from "./server/listening.ts";
export type { ApiServerOptions } from "./server/options.ts";
export { type ApiServer, createApiServer, type TokenSubject } from "./server/server.ts";
export { createStorage, type StorageOptions } from "./storage/memory.ts";
export type { Storage, StoredEvent } from "./storage/storage.ts";
export type { PodConnectRequest, PodHooks, PodLogRequest, PodPortRequest } from "./subresources/pod-hooks.ts";
export type {
  ResolveService,
  SendWebhook,
  WebhookAnswer,
  WebhookRequest,
  WebhookService,
} from "./webhook/caller.ts";
