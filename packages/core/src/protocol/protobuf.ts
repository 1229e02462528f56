/**
 * Decodes Kubernetes' protobuf encoding into plain objects. Go clients send request bodies in it by default: the bytes
 * "k8s\0", then a message `runtime.Unknown` with apiVersion, kind and the object itself. Which messages there are comes
 * from outside (`@kubewright/api/protobuf`), as descriptions read by the one decoder here.
 *
 * Always holds: a result has the keys whose fields are on the wire, under their JSON names; anything that is no valid
 * message throws a `MalformedError`. Go also writes empty fields; `@kubewright/api/zero-values` says which JSON keeps.
 */
import { isJsonObject, type Json, type JsonObject, type MutableJsonObject, setKey } from "../meta/json.ts";
import { parseJson } from "../meta/json-text.ts";
import { malformed } from "../meta/malformed.ts";
import { ProtobufReader } from "./protobuf-reader.ts";

/** Values without fields. "json" is a value that stands in the message as JSON text. */
export type ProtobufScalar = "string" | "bool" | "int32" | "int64" | "double" | "bytes" | "json";

/** The type of a value. Messages are named by functions because they may contain themselves. */
export type ProtobufType = ProtobufScalar | (() => ProtobufMessage);

/** A field of a message. */
export interface ProtobufField {
  /** The JSON name; "" for a message whose fields stand in the surrounding object. */
  readonly name: string;
  readonly type: ProtobufType;
  /** Absent for a single value. Maps have text as keys. */
  readonly repeat?: "list" | "map";
}

/** A message: its fields by number. */
export interface ProtobufMessage {
  readonly fields: ReadonlyMap<number, ProtobufField>;
  /** For messages that are no object in JSON: makes the value from the fields that were there. */
  readonly toJson?: (fields: JsonObject) => Json;
}

/** Finds the description of a kind's message; undefined if the kind is not known. */
export type ProtobufMessages = (apiVersion: string, kind: string) => ProtobufMessage | undefined;

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** The object in a request body; `apiVersion` and `kind` are those of the envelope. Throws `MalformedError`. */
export function decodeProtobuf(body: Uint8Array, messages: ProtobufMessages): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(body);
  const message = messages(apiVersion, kind);
  if (message === undefined)
    throw malformed(`no kind ${JSON.stringify(kind)} is registered for version "${apiVersion}"`);
  const object: MutableJsonObject = { kind, apiVersion };
  readFields(new ProtobufReader(raw), message, object);
  return object;
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

const TYPE_META: ProtobufMessage = {
  fields: new Map([
    [1, { name: "apiVersion", type: "string" }],
    [2, { name: "kind", type: "string" }],
  ]),
};

function readEnvelope(body: Uint8Array): Envelope {
  if (MAGIC.some((byte, index) => body[index] !== byte)) {
    throw malformed(`provided data does not appear to be a protobuf message, expected prefix [${MAGIC.join(" ")}]`);
  }
  const reader = new ProtobufReader(body.subarray(MAGIC.length));
  const typeMeta: MutableJsonObject = {};
  let raw: Uint8Array = new Uint8Array();
  while (reader.hasMore) {
    const number = reader.tag();
    if (number === 1) reader.message(() => readFields(reader, TYPE_META, typeMeta));
    else if (number === 2) raw = reader.bytes();
    else reader.skip();
  }
  return { apiVersion: String(typeMeta["apiVersion"] ?? ""), kind: String(typeMeta["kind"] ?? ""), raw };
}

function readFields(reader: ProtobufReader, message: ProtobufMessage, target: MutableJsonObject): void {
  while (reader.hasMore) {
    const field = message.fields.get(reader.tag());
    if (field === undefined) reader.skip();
    else readField(reader, field, target);
  }
}

function readField(reader: ProtobufReader, { name, type, repeat }: ProtobufField, target: MutableJsonObject): void {
  if (repeat === "list") {
    target[name] ??= [];
    readItems(reader, type, target[name] as Json[]);
  } else if (repeat === "map") {
    target[name] ??= {};
    readEntry(reader, type, target[name] as MutableJsonObject);
  } else if (name !== "") {
    target[name] = readValue(reader, type, target[name]);
  } else if (typeof type === "function") {
    reader.message(() => readFields(reader, type(), target));
  }
}

function readItems(reader: ProtobufReader, type: ProtobufType, items: Json[]): void {
  const readItem = () => items.push(readValue(reader, type));
  if (isNumeric(type) && reader.isDelimited) reader.packed(type === "double" ? "fixed64" : "varint", readItem);
  else readItem();
}

function isNumeric(type: ProtobufType): boolean {
  return type === "int32" || type === "int64" || type === "bool" || type === "double";
}

/** An entry of a map is a message with the key as field 1 and the value as field 2. */
function readEntry(reader: ProtobufReader, type: ProtobufType, map: MutableJsonObject): void {
  let key = "";
  let value: Json | undefined;
  reader.message(() => {
    while (reader.hasMore) {
      const number = reader.tag();
      if (number === 1) key = reader.text();
      else if (number === 2) value = readValue(reader, type);
      else reader.skip();
    }
  });
  setKey(map, key, value === undefined ? zeroOf(type) : value);
}

/** A value of this type. A message that comes twice is merged with what was there `before`, as protobuf asks. */
function readValue(reader: ProtobufReader, type: ProtobufType, before?: Json): Json {
  if (typeof type !== "function") return readScalar(reader, type);
  const message = type();
  const target: MutableJsonObject = isJsonObject(before) && message.toJson === undefined ? { ...before } : {};
  reader.message(() => readFields(reader, message, target));
  return message.toJson === undefined ? target : message.toJson(target);
}

function readScalar(reader: ProtobufReader, type: ProtobufScalar): Json {
  switch (type) {
    case "bool":
      return Number(reader.varint()) !== 0;
    case "int32":
      return Number(reader.varint()) | 0;
    case "int64":
      return reader.varint();
    case "double":
      return reader.double();
    case "string":
      return reader.text();
    case "bytes":
      return toBase64(reader.bytes());
    case "json":
      return toJsonValue(reader.bytes());
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

function toJsonValue(bytes: Uint8Array): Json {
  return bytes.length === 0 ? null : parseJson(bytes);
}

function zeroOf(type: ProtobufType): Json {
  if (typeof type === "function") return type().toJson?.({}) ?? {};
  if (type === "bool") return false;
  if (type === "json") return null;
  return isNumeric(type) ? 0 : "";
}
