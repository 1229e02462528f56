/**
 * `@kubewright/api/protobuf`: the protobuf messages of the built-in kinds, for `decodeProtobuf` of
 * `@kubewright/core/protocol`. Read from the rows of tables/type-table.ts, one message at a time.
 */
import { parseApiVersion } from "@kubewright/core/meta";
import {
  INT_OR_STRING_MESSAGE,
  MICRO_TIME_MESSAGE,
  type ProtobufField,
  type ProtobufMessage,
  type ProtobufType,
  QUANTITY_MESSAGE,
  RAW_JSON_MESSAGE,
  TIME_MESSAGE,
} from "@kubewright/core/protocol";
import { type FieldRow, type GoType, typeOfKind, typeRow } from "./tables/type-table.ts";

const messages = new Map<string, ProtobufMessage>();

/** The message of a built-in kind; undefined for kinds that are not built in. */
export function protobufMessageOf(apiVersion: string, kind: string): ProtobufMessage | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  const id = typeOfKind(group, version, kind);
  return id === undefined ? undefined : messageOf(id);
}

function messageOf(id: string): ProtobufMessage {
  const known = messages.get(id);
  if (known !== undefined) return known;
  const rows = typeRow(id).fields.filter(({ number }) => number > 0);
  const message = { fields: new Map(rows.map((row) => [row.number, fieldOf(row)])) };
  messages.set(id, message);
  return message;
}

function fieldOf({ name, type }: FieldRow): ProtobufField {
  const value = type.kind === "pointer" ? type.of : type;
  if (value.kind === "map") return { name, type: typeOf(value.of), repeat: "map" };
  if (value.kind === "list" && !value.wrapped) return { name, type: typeOf(value.of), repeat: "list" };
  return { name, type: typeOf(value) };
}

function typeOf(type: GoType): ProtobufType {
  switch (type.kind) {
    case "scalar":
      return scalarOf(type.name);
    case "struct":
      return () => messageOf(type.id);
    case "list":
      return () => wrappedList(type.of);
    case "pointer":
    case "map":
      throw new Error(`protobuf has no ${type.kind} in this place; the table of types is broken`);
  }
}

/** ExtraValue: a list that is a message of its own, because the values of a map cannot be lists. */
function wrappedList(of: GoType): ProtobufMessage {
  return {
    fields: new Map([[1, { name: "items", type: typeOf(of), repeat: "list" }]]),
    toJson: (fields) => fields["items"] ?? [],
  };
}

function scalarOf(name: string): ProtobufType {
  switch (name) {
    case "string":
    case "bool":
    case "int32":
    case "int64":
    case "bytes":
      return name;
    case "float64":
      return "double";
    case "Time":
      return () => TIME_MESSAGE;
    case "MicroTime":
      return () => MICRO_TIME_MESSAGE;
    case "Quantity":
      return () => QUANTITY_MESSAGE;
    case "IntOrString":
      return () => INT_OR_STRING_MESSAGE;
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
      return () => RAW_JSON_MESSAGE;
    default:
      return () => schemaUnion(name);
  }
}

/** The three places of a CRD's schema that hold a schema or something else, by what else they hold. */
function schemaUnion(name: string): ProtobufMessage {
  const schema = { name: "schema", type: () => messageOf("apiextensions/v1.JSONSchemaProps") } as const;
  switch (name) {
    case "JSONSchemaPropsOrBool":
      return {
        fields: new Map<number, ProtobufField>([
          [1, { name: "allows", type: "bool" }],
          [2, schema],
        ]),
        toJson: (fields) => fields["schema"] ?? fields["allows"] === true,
      };
    case "JSONSchemaPropsOrArray":
      return {
        fields: new Map<number, ProtobufField>([
          [1, schema],
          [2, { ...schema, name: "others", repeat: "list" }],
        ]),
        toJson: (fields) => fields["others"] ?? fields["schema"] ?? null,
      };
    case "JSONSchemaPropsOrStringArray":
      return {
        fields: new Map<number, ProtobufField>([
          [1, schema],
          [2, { name: "others", type: "string", repeat: "list" }],
        ]),
        toJson: (fields) => fields["others"] ?? fields["schema"] ?? null,
      };
    default:
      throw new Error(`no protobuf message is known for ${JSON.stringify(name)}`);
  }
}
