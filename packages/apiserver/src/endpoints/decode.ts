/**
 * Request bodies: bytes → an object of the resource's kind. Every writing endpoint decodes with it; what the body says
 * of itself (kind, version, name, namespace) must agree with where it was sent, and what the kind does not know is
 * refused, told or ignored, as `fieldValidation` asks.
 */
import {
  apiVersionOf,
  isJsonArray,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
} from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";
import { heldObject } from "../registry/read.ts";
import { type Shape, shapeOf } from "../registry/shape.ts";
import { ownShallow } from "../request/nesting.ts";
import type { ApiRequest } from "../request/request.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import { withKind } from "./body-kind.ts";
import type { ResourceCall } from "./call.ts";
import { type ParsedBody, parseBody, parseConfiguration } from "./parse-body.ts";
import { fieldValidationOf } from "./write-options.ts";

/** What a body says. */
export interface DecodedBody {
  /** Of the resource's kind, in the namespace and with the name of the URL, in canonical form. */
  readonly object: ApiObject;
  /** What is stored, without nulls, where the object shares its parts with it. */
  readonly known: ApiObject | undefined;
}

/** Decodes the body; at once when it can. */
export function decodeBody(call: ResourceCall): DecodedBody | Promise<DecodedBody> {
  const parsed = givenBody(call.request) ?? parseBody(call.request, call.resource.definition);
  const shape = shapeOf(call.resource);
  if (!(parsed instanceof Promise || shape instanceof Promise)) return objectIn(call, parsed, shape);
  return Promise.all([parsed, shape]).then(([body, loaded]) => objectIn(call, body, loaded));
}

/** What a client in the process gave away, as it is: `readFields` makes JSON of it. */
function givenBody({ given, givesValue }: ApiRequest): ParsedBody | undefined {
  return givesValue === true && isJsonObject(given) ? { value: given, duplicates: [] } : undefined;
}

function objectIn(call: ResourceCall, { value, duplicates, repeats = [] }: ParsedBody, shape: Shape): DecodedBody {
  const known = settledStored(call);
  const object = readFields(call, withKind(value, call), { shape, known, duplicates, repeats });
  const whole = isJsonObject(object["metadata"]) ? object : { ...object, metadata: {} };
  return { object: requirePlace(call, whole as ApiObject), known };
}

/** The configuration in the body of an apply: YAML. What the schema does not know is refused when it is merged. */
export async function decodeConfiguration(call: ResourceCall): Promise<JsonObject> {
  const { request, resource, info } = call;
  const { value, repeats = [] } = await parseConfiguration(request);
  const fieldValidation = fieldValidationOf(info.query);
  if (repeats.length > 0 && fieldValidation === "Strict") {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlErrors(repeats)}`);
  }
  if (fieldValidation === "Warn") for (const text of repeats) request.warnings.add(text);
  const expected = apiVersionOf(resource.definition);
  if (value["apiVersion"] !== expected) throw otherConfiguration(value, call);
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return { ...value, apiVersion: expected, kind: String(value["kind"] ?? ""), metadata };
}

/** The error for a configuration of another version; one that nobody serves is no type at all. */
function otherConfiguration({ apiVersion, kind }: JsonObject, { resource, backend }: ResourceCall): Error {
  const [given, name] = [String(apiVersion ?? ""), String(kind ?? "")];
  const expected = apiVersionOf(resource.definition);
  if (resource.custom || backend.registry.findKind(given, name) !== undefined) {
    return badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${expected}`,
    );
  }
  return badRequest(`invalid object type: ${given.includes("/") ? given : `/${given}`}, Kind=${name}`);
}

/** What is known of an object beside its fields. */
export interface FieldCheck {
  /** The shape of the resource's kind. */
  readonly shape: Shape;
  /** What is stored, without nulls: parts that it shares with the object are right. @default none */
  readonly known?: ApiObject | undefined;
  /** Paths of keys that stood twice in the body. @default none */
  readonly duplicates?: readonly string[];
  /** The same for a body in YAML, in its decoder's words. @default none */
  readonly repeats?: readonly string[];
  /** What was wrong with a patch that made the object. @default nothing */
  readonly problems?: readonly string[];
  /** The error for an object that cannot be taken. @default a 400 */
  readonly refuse?: (why: string) => Error;
}

type FieldProblems = FieldCheck & Required<Pick<FieldCheck, "refuse">> & { readonly unknown: readonly string[] };

/** More are not told. */
const PROBLEMS_MAX = 100;

/** The object in canonical form. Refuses wrong types; refuses or tells unknown and duplicate fields. */
export function readFields(call: ResourceCall, given: JsonObject, check: FieldCheck): JsonObject {
  const { shape, known, refuse = (why) => cannotHandle(call, why) } = check;
  const isGiven = call.request.givesValue === true;
  const read = isGiven ? shape.readGiven(given, known) : shape.read(given, known);
  const object = isGiven && read === undefined ? (ownShallow(given) as JsonObject) : given; // An object stays one.
  const unknown = read === undefined ? orRefuse(refuse, () => shape.unknownFields(object, known)) : [];
  tellProblems(call, object, { ...check, refuse, unknown });
  return read ?? shape.withoutNulls(object as ApiObject, known);
}

/** Refuses or tells what is wrong with the names of fields, as the client asks. */
function tellProblems(
  { request, resource, info }: ResourceCall,
  object: JsonObject,
  { unknown, duplicates = [], repeats = [], problems = [], refuse }: FieldProblems,
): void {
  if (unknown.length + duplicates.length + repeats.length + problems.length === 0) return;
  const fieldValidation = fieldValidationOf(info.query);
  if (fieldValidation === "Ignore") return;
  const isStrict = fieldValidation === "Strict";
  const repeated = isStrict && repeats.length > 0 ? [yamlErrors(repeats)] : repeats;
  const inFields = fieldProblems(resource.custom, object, { unknown, duplicates }).slice(0, PROBLEMS_MAX);
  const found = [...problems, ...repeated, ...inFields];
  if (isStrict) throw refuse(`strict decoding error: ${found.join(", ")}`);
  for (const problem of found) request.warnings.add(problem);
}

function yamlErrors(repeats: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...repeats].join("\n  ");
}

/** Custom resources are read first and pruned later; built-in kinds find both while they are read. */
function fieldProblems(
  isCustom: boolean,
  object: JsonObject,
  { unknown, duplicates }: { readonly unknown: readonly string[]; readonly duplicates: readonly string[] },
): readonly string[] {
  const unknownTexts = unknown.map((path) => [path, `unknown field ${JSON.stringify(path)}`] as const);
  const duplicateTexts = duplicates.map((path) => [path, `duplicate field ${JSON.stringify(path)}`] as const);
  const texts = [...duplicateTexts, ...unknownTexts];
  if (isCustom || unknown.length === 0 || duplicates.length === 0) return texts.map(([, text]) => text);
  const places = new Map<string, number>();
  notePlaces(object, "", places);
  const place = (path: string): number => places.get(path) ?? places.size;
  return texts.toSorted(([left], [right]) => place(left) - place(right)).map(([, text]) => text);
}

/** Numbers the fields of a value in the order in which they stand. */
function notePlaces(value: Json, path: string, places: Map<string, number>): void {
  places.set(path, places.size);
  const isList = isJsonArray(value);
  for (const [name, item] of isList || isJsonObject(value) ? Object.entries(value) : []) {
    const step = isList ? `[${name}]` : path === "" ? name : `.${name}`;
    notePlaces(item ?? null, `${path}${step}`, places);
  }
}

/** What is stored under the name of the URL, as far as it shares its parts with what clients in the process send. */
function settledStored({ backend, resource, info, request }: ResourceCall): ApiObject | undefined {
  if (request.given === undefined || info.name === "") return undefined;
  const entry = backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name));
  return entry && heldObject(resource, entry) && (entry.settled as ApiObject | undefined);
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
