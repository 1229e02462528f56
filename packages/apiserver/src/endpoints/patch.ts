/** PATCH of an object, or of its status: the patch is applied to whatever is stored, so it never conflicts by itself. */
import { apiVersionOf, isJsonObject, isMalformed, type Json, type JsonObject, parseJson } from "@kubewright/core/meta";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "@kubewright/core/patch";
import {
  apiError,
  badRequest,
  fieldForbidden,
  PATCH_MEDIA_TYPES,
  patchTypeOf,
  unsupportedMediaType,
} from "@kubewright/core/protocol";
import type { StructuralSchema } from "@kubewright/core/schema";
import { updateObject } from "../registry/update.ts";
import { ownShallow, requireShallow } from "../request/nesting.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { handleApply } from "./apply.ts";
import type { ResourceCall } from "./call.ts";
import { checkFields, requirePlace } from "./decode.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { requireValidOptions, toWriteRequest } from "./write-options.ts";

/** Serves "patch". */
export async function handlePatch(call: ResourceCall): Promise<ApiResponse> {
  if (patchTypeOf(call.request.headers["content-type"] ?? "") === "apply") return handleApply(call);
  const representation = negotiate(call);
  const { apply, seesOwners } = await readPatch(call, (await call.resource.schema?.()) ?? {});
  const write = { ...(await toWriteRequest(call, "PatchOptions")), seesOwners };
  if (call.info.query.has("force")) {
    requireValidOptions("PatchOptions", [fieldForbidden("force", "may not be specified for non-apply patch")]);
  }
  const entry = await updateObject(call.backend, write, (current) => patched(call, current, apply(current)));
  return respondEntry(call, representation, { status: 200, entry });
}

/** A patch. */
export interface Patch {
  /** What it makes of a document. */
  readonly apply: (document: ApiObject) => Json;
  /** Whether it may be about managedFields. */
  readonly seesOwners: boolean;
}

/** The patch in the body. Throws 415 for patch types that the resource does not take. */
export async function readPatch({ request, resource }: ResourceCall, schema: StructuralSchema): Promise<Patch> {
  const type = patchTypeOf(request.headers["content-type"] ?? "");
  if (type === undefined || type === "apply" || (type === "strategicMerge" && resource.custom)) {
    throw unsupportedPatch(resource);
  }
  const patch = parsePatch(request);
  switch (type) {
    case "json":
      return { apply: (document) => requireShallow(applyJsonPatch(document, patch)), seesOwners: true };
    case "merge":
      return { apply: (document) => applyMergePatch(document, patch), seesOwners: namesOwners(patch) };
    case "strategicMerge": {
      if (!isJsonObject(patch)) throw badRequest("error decoding patch: a strategic merge patch is an object");
      return {
        apply: (document) => applyStrategicMergePatch(document, patch, schema),
        seesOwners: namesOwners(patch),
      };
    }
  }
}

function namesOwners(patch: Json): boolean {
  const metadata = isJsonObject(patch) ? patch["metadata"] : undefined;
  return isJsonObject(metadata) && Object.hasOwn(metadata, "managedFields");
}

function unsupportedPatch({ custom }: ServedResource): Error {
  if (!custom) return apiError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  return unsupportedMediaType([PATCH_MEDIA_TYPES.json, PATCH_MEDIA_TYPES.merge, PATCH_MEDIA_TYPES.apply]);
}

function parsePatch({ body, given }: Pick<ApiRequest, "body" | "given">): Json {
  if (given !== undefined) return ownShallow(given);
  try {
    return requireShallow(parseJson(body));
  } catch (error) {
    throw isMalformed(error) ? badRequest(`error decoding patch: ${error.message}`) : error;
  }
}

/** A patched document is still the same object, and one of its kind. */
async function patched(call: ResourceCall, current: ApiObject, value: Json): Promise<ApiObject> {
  if (value === current) return current;
  const { definition } = call.resource;
  const apiVersion = apiVersionOf(definition);
  if (!isJsonObject(value)) throw badRequest("the patch did not leave an object");
  if (value["apiVersion"] !== apiVersion || value["kind"] !== definition.kind) {
    throw badRequest("a patch cannot change apiVersion or kind; delete the object and create another one");
  }
  await checkFields(call, value, []);
  const metadata: JsonObject = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return requirePlace(call, { ...value, apiVersion, kind: definition.kind, metadata });
}
