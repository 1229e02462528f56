/**
 * Request bodies: bytes → an object of the resource's kind. Every writing endpoint decodes with it; what the body says
 * of itself (kind, version, name, namespace) must agree with where it was sent, and what the kind does not know is
 * refused, told or ignored, as `fieldValidation` asks.
 */
import {
  apiVersionOf,
  decodeUtf8,
  isJsonObject,
  isMalformed,
  type JsonObject,
  malformed,
  parseApiVersion,
  parseJsonStrict,
  type StrictJson,
  stringifyJson,
} from "@kubewright/core/meta";
import {
  badRequest,
  decodeProtobuf,
  fieldInvalid,
  invalidError,
  JSON_MEDIA_TYPE,
  PROTOBUF_MEDIA_TYPE,
  parseMediaType,
  unsupportedMediaType,
  YAML_MEDIA_TYPE,
} from "@kubewright/core/protocol";
import { heldObject } from "../registry/read.ts";
import { shapeOf } from "../registry/shape.ts";
import { ownShallow, requireShallow } from "../request/nesting.ts";
import type { ApiRequest } from "../request/request.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import type { ResourceCall } from "./call.ts";
import { MEDIA_TYPES_NAMED } from "./representation.ts";
import { fieldValidationOf } from "./write-options.ts";

/** The kind that a body must have. */
export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The object in the body, of the resource's kind, in the namespace and with the name of the URL. */
export async function decodeBody(call: ResourceCall): Promise<ApiObject> {
  const { request, resource } = call;
  const { definition } = resource;
  const { value, duplicates } = await parseBody(request, definition);
  const object = withKind(value, call);
  await checkFields(call, object, { duplicates });
  const whole = isJsonObject(object["metadata"]) ? object : { ...object, metadata: {} };
  return requirePlace(call, whole as ApiObject);
}

/** The configuration in the body of an apply: YAML. What the schema does not know is refused when it is merged. */
export async function decodeConfiguration(call: ResourceCall): Promise<JsonObject> {
  const { request, resource, info } = call;
  const { value, duplicates } = await parseConfiguration(request);
  if (duplicates.length > 0 && fieldValidationOf(info.query) === "Strict") {
    const list = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`).join(", ");
    throw badRequest(`error strict decoding YAML: ${list}`);
  }
  const expected = apiVersionOf(resource.definition);
  if (value["apiVersion"] !== expected) {
    const given = value["apiVersion"] ?? "";
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${expected}`,
    );
  }
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return { ...value, apiVersion: expected, kind: String(value["kind"] ?? ""), metadata };
}

/** The value in the body of an apply: YAML, whatever its media type says. */
export async function parseConfiguration({ body, given }: Pick<ApiRequest, "body" | "given">): Promise<ParsedBody> {
  if (given !== undefined) return ownBody(given);
  const { parseYaml } = await import("./yaml.ts");
  try {
    const { value, duplicates } = parseYaml(decodeUtf8(body));
    if (!isJsonObject(value)) throw malformed("a configuration is an object");
    return { value: requireShallow(value), duplicates };
  } catch (error) {
    throw isMalformed(error) ? badRequest(`error decoding YAML: ${error.message}`) : error;
  }
}

/** What is known of an object beside its fields. */
export interface FieldCheck {
  /** Paths of keys that stood twice in the body. @default none */
  readonly duplicates?: readonly string[];
  /** The error for an object that cannot be taken. @default a 400 */
  readonly refuse?: (why: string) => Error;
}

/** Refuses wrong types; refuses or tells unknown and duplicate fields. */
export async function checkFields(
  call: ResourceCall,
  object: JsonObject,
  { duplicates = [], refuse = (why) => cannotHandle(call, why) }: FieldCheck,
): Promise<void> {
  const { request, resource, info } = call;
  const shape = await shapeOf(resource);
  const fieldValidation = fieldValidationOf(info.query);
  const unknown = orRefuse(refuse, () => shape.unknownFields(object, heldObjectOf(call)));
  if (fieldValidation === "Ignore") return;
  const unknownTexts = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  const duplicateTexts = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  // Custom resources are read first and pruned later; built-in kinds find both while they are read.
  const problems = resource.custom ? [...duplicateTexts, ...unknownTexts] : [...unknownTexts, ...duplicateTexts];
  if (problems.length === 0) return;
  if (fieldValidation === "Strict") throw refuse(`strict decoding error: ${problems.join(", ")}`);
  for (const problem of problems) request.warnings.add(problem);
}

/** What is stored under the name of the URL, as far as it shares its parts with what clients in the process send. */
function heldObjectOf({ backend, resource, info, request }: ResourceCall): ApiObject | undefined {
  if (request.given === undefined || info.name === "" || info.subresource === "scale") return undefined;
  const entry = backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name));
  return entry && heldObject(resource, entry);
}

function orRefuse<Result>(refuse: (why: string) => Error, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw isMalformed(error) ? refuse(error.message) : error;
  }
}

function cannotHandle({ resource: { definition } }: ResourceCall, why: string): Error {
  const { kind, version } = definition;
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`);
}

/** A body's value, and the keys that stood twice in it. */
export interface ParsedBody {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

/** The value in a body of any accepted media type. Throws 400 or 415. */
export async function parseBody(
  request: Pick<ApiRequest, "headers" | "body" | "given">,
  kind: BodyKind,
): Promise<ParsedBody> {
  if (request.given !== undefined) return ownBody(request.given);
  try {
    const { value, duplicates } = await parseByMediaType(request);
    if (isJsonObject(value)) return { value: requireShallow(value), duplicates };
    const goType =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    throw malformed(
      `json: cannot unmarshal ${Array.isArray(value) ? "array" : typeof value} into Go value of type ${goType}`,
    );
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const why = `couldn't get version/kind; json parse error: ${error.message} (${summary(request.body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why}`);
  }
}

/** Clients in the process hand over objects; lists and texts are none that a kind has. */
function ownBody(given: object): ParsedBody {
  const value = ownShallow(given);
  if (!isJsonObject(value)) throw badRequest("the body is no object; send an object of the resource's kind");
  return { value, duplicates: [] };
}

async function parseByMediaType({ headers, body }: Pick<ApiRequest, "headers" | "body">): Promise<StrictJson> {
  switch (parseMediaType(headers["content-type"] ?? "").type) {
    case "":
    case JSON_MEDIA_TYPE:
      return parseJsonStrict(body);
    case YAML_MEDIA_TYPE: {
      const { parseYaml } = await import("./yaml.ts");
      return parseYaml(decodeUtf8(body));
    }
    case PROTOBUF_MEDIA_TYPE: {
      const { protobufMessageOf } = await import("@kubewright/api/protobuf");
      const { withZeroValues } = await import("@kubewright/api/zero-values");
      const value = decodeProtobuf(body, protobufMessageOf);
      const { group, version } = parseApiVersion(String(value["apiVersion"]));
      // Go writes empty fields into protobuf that it leaves out of JSON.
      return { value: withZeroValues({ group, version, kind: String(value["kind"]) }, value), duplicates: [] };
    }
    default:
      throw unsupportedMediaType(MEDIA_TYPES_NAMED);
  }
}

function bytesOf({ body, given }: Pick<ApiRequest, "body" | "given">): Uint8Array {
  return given === undefined ? body : Buffer.from(stringifyJson(given));
}

const SUMMARY_BYTES_MAX = 30;

/** The start of a body for an error: JSON as text, anything else in hexadecimal. */
function summary(body: Uint8Array): string {
  if (body.byteLength === 0) return "<empty>";
  const start = Buffer.from(body.subarray(0, SUMMARY_BYTES_MAX));
  const shown = start[0] === 0x7b ? start.toString("utf8") : start.toString("hex");
  return body.byteLength > SUMMARY_BYTES_MAX ? `${shown} ...` : shown;
}

type Typed = JsonObject & { readonly apiVersion: string; readonly kind: string };

/** Built-in kinds may leave out what the URL says; custom resources may not. */
function withKind(value: JsonObject, { request, resource }: ResourceCall): Typed {
  const { definition, custom } = resource;
  const expected = apiVersionOf(definition);
  const { apiVersion = "", kind = "" } = value;
  if (custom && (kind === "" || apiVersion === "")) throw missingKind(value, definition, bytesOf(request));
  const given = {
    apiVersion: apiVersion === "" ? expected : String(apiVersion),
    kind: kind === "" ? definition.kind : String(kind),
  };
  if (given.kind !== definition.kind && !custom) throw otherKind(given, definition);
  if (given.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${given.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (given.kind !== definition.kind) throw wrongKind(value, given.kind, definition);
  return value["apiVersion"] === given.apiVersion && value["kind"] === given.kind
    ? (value as Typed)
    : { ...value, ...given };
}

function missingKind(value: JsonObject, { kind }: BodyKind, body: Uint8Array): Error {
  const what = value["kind"] === undefined || value["kind"] === "" ? "Kind" : "apiVersion";
  const why = `Object '${what}' is missing in '${decodeUtf8(body)}' (${summary(body)})`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}

function otherKind(
  given: { readonly apiVersion: string; readonly kind: string },
  { group, version, kind }: BodyKind,
): Error {
  const internal = group === "" ? "core" : group.split(".", 1)[0];
  const why = `converting (${given.apiVersion}.${given.kind}) to (${internal}.${kind}): unknown conversion`;
  return badRequest(`${given.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`);
}

function wrongKind(value: JsonObject, given: string, { group, kind }: BodyKind): Error {
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "";
  return invalidError({ group, kind: given, name }, [fieldInvalid("kind", given, `must be ${kind}`)]);
}

/** An object sent to a place is in that place, and must not say otherwise. */
export function requirePlace({ info, resource }: ResourceCall, object: ApiObject): ApiObject {
  const namespace = object.metadata.namespace ?? "";
  const name = object.metadata.name ?? "";
  const isNamespaced = resource.definition.scope === "Namespaced";
  if (isNamespaced && namespace !== "" && namespace !== info.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (info.name !== "" && name === "") {
    throw badRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`);
  }
  if (info.name !== "" && name !== info.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  }
  return isNamespaced && namespace === "" ? withMetadata(object, { namespace: info.namespace }) : object;
}
