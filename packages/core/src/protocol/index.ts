/** `@kubewright/core/protocol`: what goes over the wire between clients and API servers. */
export {
  ApiError,
  apiError,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isNotFound,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
} from "./status.ts";
