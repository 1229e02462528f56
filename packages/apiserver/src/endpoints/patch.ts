/** PATCH of an object, or of its status: the patch is applied to whatever is stored, so it never conflicts by itself. */
import {
  apiVersionOf,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
  parseJson,
  stringifyJson,
} from "@kubewright/core/meta";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, goFormat } from "@kubewright/core/patch";
import {
  apiError,
  badRequest,
  fieldForbidden,
  fieldInvalid,
  invalidError,
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
import { readWriteOptions, requireValidOptions, toWriteRequest } from "./write-options.ts";

/** Serves "patch". */
export async function handlePatch(call: ResourceCall): Promise<ApiResponse> {
  if (patchTypeOf(call.request.headers["content-type"] ?? "") === "apply") return handleApply(call);
  const representation = negotiate(call);
  requirePatchType(call);
  readWriteOptions(call, "PatchOptions");
  const { apply, refuse, seesOwners } = await readPatch(call, (await call.resource.schema?.()) ?? {});
  const write = { ...(await toWriteRequest(call, "PatchOptions")), seesOwners };
  if (call.info.query.has("force")) {
    requireValidOptions("PatchOptions", [fieldForbidden("force", "may not be specified for non-apply patch")]);
  }
  const entry = await updateObject(call.backend, write, (current) =>
    patched(call, current, { value: apply(current), refuse }),
  );
  return respondEntry(call, representation, { status: 200, entry });
}

/** A patch. */
export interface Patch {
  /** What it makes of a document. */
  readonly apply: (document: ApiObject) => Json;
  /** The error for a result that is no object of its kind. */
  readonly refuse: (result: Json, why: string) => Error;
  /** Whether it may be about managedFields. */
  readonly seesOwners: boolean;
}

/** The patch in the body. Throws 415 for patch types that the resource does not take. */
export async function readPatch(call: ResourceCall, schema: StructuralSchema): Promise<Patch> {
  const type = requirePatchType(call);
  const patch = parsePatch(call.request);
  switch (type) {
    case "json": {
      const apply = (document: ApiObject): Json => requireShallow(applyJsonPatch(document, patch));
      return { apply, refuse: refuseResult, seesOwners: true };
    }
    case "merge": {
      const apply = (document: ApiObject): Json => applyMergePatch(document, patch);
      return { apply, refuse: refuseResult, seesOwners: namesOwners(patch) };
    }
    case "strategicMerge": {
      if (!isJsonObject(patch)) throw badRequest("error decoding patch: a strategic merge patch is an object");
      return {
        apply: (document) => applyStrategicMergePatch(document, patch, schema),
        refuse: (_, why) => refusePatch(goFormat(patch), unstructuredProblem(why)),
        seesOwners: namesOwners(patch),
      };
    }
  }
}

function requirePatchType({ request, resource }: ResourceCall): "json" | "merge" | "strategicMerge" {
  const type = patchTypeOf(request.headers["content-type"] ?? "");
  if (type === undefined || type === "apply" || (type === "strategicMerge" && resource.custom)) {
    throw unsupportedPatch(resource);
  }
  return type;
}

function refuseResult(result: Json, why: string): Error {
  return refusePatch(stringifyJson(result), why);
}

function refusePatch(shown: string, why: string): Error {
  return invalidError({ group: "", kind: "", name: "" }, [fieldInvalid("patch", shown, why)]);
}

const UNMARSHAL = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go .* of type (.+)$/;
const GO_KINDS: Readonly<Record<string, string>> = { array: "slice", object: "map", number: "int64" };

/** The words of the converter that strategic merge patches go through, for what the decoder of JSON says. */
function unstructuredProblem(why: string): string {
  const [, given = "", digits, type = ""] = UNMARSHAL.exec(why) ?? [];
  if (given === "") return why;
  if (type.startsWith("map[")) return `cannot restore map from ${GO_KINDS[given] ?? given}`;
  if (type.startsWith("[]")) return `cannot restore slice from ${GO_KINDS[given] ?? given}`;
  if (type.includes(".")) return `cannot restore struct from: ${GO_KINDS[given] ?? given}`;
  if (given !== "number") return `unrecognized type: ${type}`;
  return `cannot convert ${digits === undefined ? "int64" : "float64"} to ${type}`;
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
async function patched(
  call: ResourceCall,
  current: ApiObject,
  { value, refuse }: { readonly value: Json; readonly refuse: Patch["refuse"] },
): Promise<ApiObject> {
  if (value === current) return current;
  const { definition } = call.resource;
  const apiVersion = apiVersionOf(definition);
  if (!isJsonObject(value)) throw badRequest("the patch did not leave an object");
  if (value["apiVersion"] !== apiVersion || value["kind"] !== definition.kind) {
    throw badRequest("a patch cannot change apiVersion or kind; delete the object and create another one");
  }
  await checkFields(call, value, { refuse: (why) => refuse(value, why) });
  const metadata: JsonObject = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return requirePlace(call, { ...value, apiVersion, kind: definition.kind, metadata });
}
