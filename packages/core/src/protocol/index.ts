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
export { createLineDecoder, type LineDecoder, type LineDecoderOptions } from "./line-decoder.ts";
export {
  formatRequestPath,
  isQueryTrue,
  type OtherRequest,
  type PathTarget,
  parseRequest,
  type RequestInfo,
  type RequestVerb,
  type ResourceRequest,
} from "./request-path.ts";
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
export {
  decodeWatchEvent,
  decodeWatchEvents,
  encodeWatchEvent,
  frameWatchEvent,
  INITIAL_EVENTS_END_ANNOTATION,
  type WatchEvent,
  type WatchEventType,
} from "./watch-event.ts";
