/**
 * The value in a body: JSON, YAML or protobuf, in the words of kube-apiserver's decoder where it is none. decode.ts and
 * the endpoints whose bodies have kinds of their own read with it.
 */
import {
  decodeUtf8,
  isJsonObject,
  isMalformed,
  type JsonObject,
  malformed,
  parseApiVersion,
  parseJsonStrict,
  type StrictJson,
} from "@kubewright/core/meta";
import {
  badRequest,
  decodeProtobuf,
  JSON_MEDIA_TYPE,
  PROTOBUF_MEDIA_TYPE,
  parseMediaType,
  unsupportedMediaType,
  YAML_MEDIA_TYPE,
} from "@kubewright/core/protocol";
import { ownShallow, requireShallow } from "../request/nesting.ts";
import type { ApiRequest } from "../request/request.ts";
import { MEDIA_TYPES_NAMED } from "./representation.ts";

/** The kind that a body must have. */
export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A body's value, and what stood twice in it. */
export interface ParsedBody {
  readonly value: JsonObject;
  /** Paths of keys that stood twice in JSON. */
  readonly duplicates: readonly string[];
  /** The same for YAML, as its decoder tells it: `line 3: key "name" already set in map`. @default none */
  readonly repeats?: readonly string[];
}

/** The value in a body of any accepted media type; at once unless its parser has to be loaded. Throws 400 or 415. */
export function parseBody(
  request: Pick<ApiRequest, "headers" | "body" | "given">,
  kind: BodyKind,
): ParsedBody | Promise<ParsedBody> {
  const refuse = (error: unknown): never => {
    throw isMalformed(error) ? unrecognized(kind, error.message, request.body) : error;
  };
  try {
    const parsed = parseValue(request);
    return parsed instanceof Promise ? parsed.catch(refuse) : parsed;
  } catch (error) {
    return refuse(error);
  }
}

/** The same, for those who say themselves what a malformed body was to be. Throws `MalformedError` or a 415. */
export function parseValue(request: Pick<ApiRequest, "headers" | "body" | "given">): ParsedBody | Promise<ParsedBody> {
  if (request.given !== undefined) return ownBody(request.given);
  const type = parseMediaType(request.headers["content-type"] ?? "").type;
  if (type === PROTOBUF_MEDIA_TYPE) return parseProtobuf(request.body);
  if (type === YAML_MEDIA_TYPE) return parseYamlBody(request.body);
  if (type !== "" && type !== JSON_MEDIA_TYPE) throw unsupportedMediaType(MEDIA_TYPES_NAMED);
  return requireObject(parseJsonBody(request.body));
}

async function parseYamlBody(body: Uint8Array): Promise<ParsedBody> {
  const { parseYaml } = await import("./yaml.ts");
  return requireObject(parseYaml(decodeUtf8(body)));
}

function parseJsonBody(body: Uint8Array): StrictJson {
  try {
    return parseJsonStrict(body);
  } catch (error) {
    throw isMalformed(error) ? malformed(`${NO_KIND}${error.message}`) : error;
  }
}

const NO_KIND = "couldn't get version/kind; json parse error: ";
const GO_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** `null` is an object with nothing in it, as in Go. */
function requireObject(parsed: { readonly value: unknown } & Omit<ParsedBody, "value">): ParsedBody {
  const { value } = parsed;
  if (value === null) return { ...parsed, value: {} };
  if (isJsonObject(value)) return { ...parsed, value: requireShallow(value) };
  throw malformed(`${NO_KIND}json: cannot unmarshal ${goKindOf(value)} into Go value of type ${GO_TYPE}`);
}

/** What Go's decoder calls a JSON value. */
export function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value === "bigint" ? "number" : typeof value;
}

async function parseProtobuf(body: Uint8Array): Promise<ParsedBody> {
  const { protobufMessageOf } = await import("@kubewright/api/protobuf");
  const { withZeroValues } = await import("@kubewright/api/zero-values");
  const value = decodeProtobuf(body, protobufMessageOf);
  const { group, version } = parseApiVersion(String(value["apiVersion"]));
  // Go writes empty fields into protobuf that it leaves out of JSON.
  const whole = withZeroValues({ group, version, kind: String(value["kind"]) }, value);
  return { value: requireShallow(whole), duplicates: [] };
}

/** Clients in the process hand over objects; lists and texts are none that a kind has. */
function ownBody(given: object): ParsedBody {
  const value = ownShallow(given);
  if (!isJsonObject(value)) throw badRequest("the body is no object; send an object of the resource's kind");
  return { value, duplicates: [] };
}

/** The value in the body of an apply: YAML, whatever its media type says. */
export async function parseConfiguration({ body, given }: Pick<ApiRequest, "body" | "given">): Promise<ParsedBody> {
  if (given !== undefined) return ownBody(given);
  const { parseYaml } = await import("./yaml.ts");
  try {
    const { value, ...rest } = parseYaml(decodeUtf8(body));
    if (value === null) return { value: {}, ...rest };
    if (isJsonObject(value)) return { value: requireShallow(value), ...rest };
    const why = `json: cannot unmarshal ${goKindOf(value)} into Go value of type map[string]interface {}`;
    throw malformed(`error unmarshaling JSON: while decoding JSON: ${why}`);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const isSyntax = error.message.startsWith("yaml: ");
    throw badRequest(`error decoding YAML: ${isSyntax ? "error converting YAML to JSON: " : ""}${error.message}`);
  }
}

/** The 400 for a body in which nobody finds an object. */
export function unrecognized({ kind }: BodyKind, why: string, body: Uint8Array): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`);
}

const SUMMARY_BYTES_MAX = 30;

/** The start of a body for an error: JSON as text, anything else in hexadecimal. */
function summary(body: Uint8Array): string {
  if (body.byteLength === 0) return "<empty>";
  const start = Buffer.from(body.subarray(0, SUMMARY_BYTES_MAX));
  const shown = start[0] === 0x7b ? start.toString("utf8") : start.toString("hex");
  return body.byteLength > SUMMARY_BYTES_MAX ? `${shown} ...` : shown;
}
