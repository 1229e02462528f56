/** `@kubewright/core/protocol`: what goes over the wire between clients and API servers. */
export {
  type FieldError,
  type FieldErrorType,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
  formatFieldValue,
  type InvalidObject,
  invalidError,
} from "./field-error.ts";
export { formatKubeconfig, type KubeconfigEntry } from "./kubeconfig.ts";
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
