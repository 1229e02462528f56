/** PATCH of an object, or of its status: the patch is applied to whatever is stored, so it never conflicts by itself. */
import { apiVersionOf, isJsonObject, isMalformed, type Json, parseJson } from "@kubewright/core/meta";
import { applyJsonPatch, applyMergePatch } from "@kubewright/core/patch";
import { badRequest, PATCH_MEDIA_TYPES, patchTypeOf, unsupportedMediaType } from "@kubewright/core/protocol";
import { updateObject } from "../registry/update.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ResourceCall } from "./call.ts";
import { requirePlace } from "./decode.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { toWriteRequest } from "./write-options.ts";

const MEDIA_TYPES = [PATCH_MEDIA_TYPES.json, PATCH_MEDIA_TYPES.merge];

/** Serves "patch". */
export async function handlePatch(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call.request);
  const apply = patchFunction(call);
  const write = toWriteRequest(call, "PatchOptions");
  const entry = await updateObject(call.backend, write, (current) => patched(call, current, apply(current)));
  return respondEntry(call, representation, { status: 200, entry });
}

/** What the patch makes of a document. Throws 415 for patch types that the resource does not take. */
function patchFunction({ request }: ResourceCall): (document: ApiObject) => Json {
  switch (patchTypeOf(request.headers["content-type"] ?? "")) {
    case "json": {
      const patch = parsePatch(request);
      return (document) => applyJsonPatch(document, patch);
    }
    case "merge": {
      const patch = parsePatch(request);
      return (document) => applyMergePatch(document, patch);
    }
    default:
      throw unsupportedMediaType(MEDIA_TYPES);
  }
}

function parsePatch({ body }: Pick<ApiRequest, "body">): Json {
  try {
    return parseJson(body);
  } catch (error) {
    throw isMalformed(error) ? badRequest(`error decoding patch: ${error.message}`) : error;
  }
}

/** A patched document is still the same object. */
function patched(call: ResourceCall, current: ApiObject, value: Json): ApiObject {
  const { definition } = call.resource;
  if (!isJsonObject(value)) throw badRequest("the patch did not leave an object");
  const { apiVersion, kind, metadata } = value;
  if (apiVersion !== apiVersionOf(definition) || kind !== definition.kind) {
    throw badRequest("apiVersion and kind cannot be changed by a patch");
  }
  const object = { ...value, apiVersion, kind, metadata: isJsonObject(metadata) ? metadata : {} };
  return requirePlace(call, {
    ...object,
    metadata: { ...object.metadata, name: object.metadata["name"] ?? current.metadata.name },
  } as ApiObject);
}
