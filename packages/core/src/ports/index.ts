/** `@kubewright/core/ports`: what the packages need of the world outside, as interfaces. */
export { type Cancel, type Clock, sleep } from "./clock.ts";
export type { Files } from "./files.ts";
export { type LogFields, type Logger, silentLogger } from "./logger.ts";
export { type Random, randomHex, randomUuid, seededRandom } from "./random.ts";
export {
  concatenate,
  drainBody,
  type HandedEvent,
  HEADER_VALUE_END,
  type Headers,
  type PathTarget,
  type RequestTarget,
  type ResponseBody,
  readBody,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport.ts";
