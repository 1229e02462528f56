/** `@kubewright/apiserver`: the embedded Kubernetes API server. */
export type { AdmissionPlugin, AdmissionRequest } from "./admission/admission.ts";
export type { Authenticate, AuthorizationAttributes, AuthorizationDecision, Authorize } from "./auth/authorization.ts";
export type { Endpoint, ResourceCall, SpecialEndpoints } from "./endpoints/call.ts";
export { administrator, anonymous, type User } from "./request/user.ts";
export type { Listener, TlsOptions } from "./server/listen.ts";
export type { ApiListener, ListenOptions } from "./server/listening.ts";
export { type ApiServer, type ApiServerOptions, createApiServer } from "./server/server.ts";
export { createStorage, type StorageOptions } from "./storage/memory.ts";
export type { Storage } from "./storage/storage.ts";
