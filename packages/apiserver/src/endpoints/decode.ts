/**
 * Request bodies: bytes → an object of the resource's kind. Every writing endpoint decodes with it; what the body says
 * of itself (kind, version, name, namespace) must agree with where it was sent.
 */
import { apiVersionOf, isJsonObject, isMalformed, type Json, type JsonObject, parseJson } from "@kubewright/core/meta";
import { badRequest, parseMediaType, unsupportedMediaType } from "@kubewright/core/protocol";
import type { ApiRequest } from "../request/request.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import type { ResourceCall } from "./call.ts";
import { MEDIA_TYPES_NAMED } from "./representation.ts";

/** The kind that a body must have. */
export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The media type of a request's body, without parameters. */
export function mediaTypeOf({ headers }: Pick<ApiRequest, "headers">): string {
  return parseMediaType(headers["content-type"] ?? "").type;
}

/** The object in the body, of the given kind, in the namespace and with the name of the URL. */
export async function decodeBody(call: ResourceCall, kind: BodyKind = call.resource.definition): Promise<ApiObject> {
  const value = await parseBody(call.request, kind);
  const object = withKind(value, kind, call.resource.custom);
  return requirePlace(call, object);
}

/** The value in a body of any accepted media type. Throws 400 or 415. */
export async function parseBody(request: Pick<ApiRequest, "headers" | "body">, kind: BodyKind): Promise<JsonObject> {
  const value = await parseByMediaType(request, kind);
  if (isJsonObject(value)) return value;
  throw unrecognized(kind, request.body, "json: cannot unmarshal non-object into Go value");
}

async function parseByMediaType(
  { headers, body }: Pick<ApiRequest, "headers" | "body">,
  kind: BodyKind,
): Promise<Json> {
  try {
    switch (mediaTypeOf({ headers })) {
      case "":
      case "application/json":
        return parseJson(body);
      case "application/yaml": {
        const { parseYaml } = await import("./yaml.ts");
        return parseYaml(Buffer.from(body).toString("utf8"));
      }
    }
  } catch (error) {
    throw isMalformed(error) ? unrecognized(kind, body, error.message) : error;
  }
  throw unsupportedMediaType(MEDIA_TYPES_NAMED);
}

function unrecognized({ kind }: BodyKind, body: Uint8Array, why: string): Error {
  const start = Buffer.from(body.subarray(0, 30)).toString("utf8");
  const shown = body.byteLength > 30 ? `${start} ...` : start;
  const text = `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${Buffer.from(shown).toString("hex")})`;
  return badRequest(text);
}

/** Built-in kinds may leave out what the URL says; custom resources may not. */
function withKind(value: JsonObject, expected: BodyKind, custom: boolean): ApiObject {
  const apiVersion = apiVersionOf(expected);
  const { apiVersion: givenVersion = custom ? "" : apiVersion, kind = custom ? "" : expected.kind, metadata } = value;
  if (custom && (kind === "" || givenVersion === "")) {
    const missing = kind === "" ? "Kind" : "apiVersion";
    throw badRequest(`Object '${missing}' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
  }
  if (givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (kind !== expected.kind) {
    throw badRequest(
      `${kind} in version "${expected.version}" cannot be handled as a ${expected.kind}: converting (${givenVersion}.${kind}) to (${apiVersion}.${expected.kind}): unknown conversion`,
    );
  }
  return { ...value, apiVersion, kind: expected.kind, metadata: isJsonObject(metadata) ? metadata : {} };
}

/** An object sent to a place is in that place, and must not say otherwise. */
export function requirePlace({ info, resource }: ResourceCall, object: ApiObject): ApiObject {
  const { namespace = "", name = "" } = object.metadata;
  const isNamespaced = resource.definition.scope === "Namespaced";
  if (isNamespaced && namespace !== "" && namespace !== info.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (info.name !== "" && name !== "" && name !== info.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  }
  if (info.name !== "" && name === "") throw badRequest("name must be provided");
  return isNamespaced && namespace === "" ? withMetadata(object, { namespace: info.namespace }) : object;
}
