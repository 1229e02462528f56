/**
 * The messages of Kubernetes' protobuf encoding whose JSON is a single value: times, quantities, numbers or names, and
 * values that stand as JSON text in a message. `@kubewright/api/protobuf` refers to them from the fields of kinds.
 */
import type { Json, JsonObject } from "../meta/json.ts";
import { malformed } from "../meta/malformed.ts";
import { formatMicroTime, formatTime } from "../meta/time.ts";
import type { ProtobufField, ProtobufMessage } from "./protobuf.ts";

/** A time in whole seconds; null for none. */
export const TIME_MESSAGE: ProtobufMessage = timestamp((seconds) => formatTime(seconds * 1000));

/** A time in microseconds; null for none. */
export const MICRO_TIME_MESSAGE: ProtobufMessage = timestamp((seconds, nanos) => {
  return formatMicroTime(seconds * 1000 + Math.trunc(nanos / 1000) / 1000);
});

/** An amount such as "500m". */
export const QUANTITY_MESSAGE: ProtobufMessage = {
  fields: new Map([[1, { name: "string", type: "string" }]]),
  toJson: (fields) => fields["string"] ?? "0",
};

/** A number or a text; the first field says which. */
export const INT_OR_STRING_MESSAGE: ProtobufMessage = {
  fields: new Map<number, ProtobufField>([
    [1, { name: "type", type: "int64" }],
    [2, { name: "intVal", type: "int32" }],
    [3, { name: "strVal", type: "string" }],
  ]),
  toJson: (fields) => (fields["type"] === 1 ? (fields["strVal"] ?? "") : (fields["intVal"] ?? 0)),
};

/** Any JSON value, as text (RawExtension, FieldsV1, JSON). */
export const RAW_JSON_MESSAGE: ProtobufMessage = {
  fields: new Map([[1, { name: "raw", type: "json" }]]),
  toJson: (fields) => fields["raw"] ?? null,
};

/** No field at all is how Go writes the zero time. */
function timestamp(format: (seconds: number, nanos: number) => string): ProtobufMessage {
  return {
    fields: new Map<number, ProtobufField>([
      [1, { name: "seconds", type: "int64" }],
      [2, { name: "nanos", type: "int32" }],
    ]),
    toJson: (fields: JsonObject): Json => {
      if (Object.keys(fields).length === 0) return null;
      const seconds = Number(fields["seconds"] ?? 0);
      if (seconds < SECONDS_MIN || seconds > SECONDS_MAX)
        throw malformed(`protobuf: ${seconds} s is no time of RFC 3339`);
      return format(seconds, Number(fields["nanos"] ?? 0));
    },
  };
}

/** The years 0 to 9999, the range of RFC 3339. */
const SECONDS_MIN = -62_167_219_200;
const SECONDS_MAX = 253_402_300_799;
