/** PATCH of an object, or of its status: the patch is applied to whatever is stored, so it never conflicts by itself. */
import {
  apiVersionOf,
  isJsonArray,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
  malformed,
  parseJsonStrict,
  type StrictJson,
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
import type { Shape } from "../registry/shape.ts";
import { updateObject } from "../registry/update.ts";
import { ownShallow, requireShallow } from "../request/nesting.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { handleApply } from "./apply.ts";
import { mismatchOf } from "./body-kind.ts";
import type { ResourceCall } from "./call.ts";
import { readFields, requirePlace } from "./decode.ts";
import { goKindOf } from "./parse-body.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { unstructuredProblem } from "./unstructured-problem.ts";
import { readWriteOptions, requireValidOptions, toWriteRequest } from "./write-options.ts";

/** Serves "patch". */
export async function handlePatch(call: ResourceCall): Promise<ApiResponse> {
  if (patchTypeOf(call.request.headers["content-type"] ?? "") === "apply") return handleApply(call);
  const representation = negotiate(call);
  const type = requirePatchType(call);
  readWriteOptions(call, "PatchOptions");
  const patch = readPatch(call, type === "strategicMerge" ? ((await call.resource.schema?.()) ?? {}) : {});
  const asked = toWriteRequest(call, "PatchOptions", { seesOwners: patch.seesOwners, isCanonical: true });
  const write = asked instanceof Promise ? await asked : asked;
  if (call.info.query.has("force")) {
    requireValidOptions("PatchOptions", [fieldForbidden("force", "may not be specified for non-apply patch")]);
  }
  const { shape } = write;
  const entry = await updateObject(call.backend, write, (current, shown) =>
    patched(call, current, { ...patch, shape, value: patch.apply(type === "json" ? shown : current) }),
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
  /** What a strict decoder says against the patch itself. */
  readonly problems: readonly string[];
}

/** The patch in the body. Throws 415 for patch types that the resource does not take. */
export function readPatch(call: ResourceCall, schema: StructuralSchema): Patch {
  const type = requirePatchType(call);
  const { value: patch, duplicates } = parsePatch(call.request, type);
  const problems = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  switch (type) {
    case "json": {
      const apply = (document: ApiObject): Json => requireShallow(applyJsonPatch(document, patch));
      const told = [...problems, ...unknownInOperations(patch)].map((problem) => `json patch ${problem}`);
      return { apply, refuse: refuseResult, seesOwners: true, problems: told };
    }
    case "merge": {
      const apply = (document: ApiObject): Json => applyMergePatch(document, patch);
      return { apply, refuse: refuseResult, seesOwners: namesOwners(patch), problems };
    }
    case "strategicMerge": {
      const changes = isJsonObject(patch) ? patch : {};
      return {
        apply: (document) => sameKind(applyStrategicMergePatch(document, changes, schema), document),
        refuse: (_, why) => refusePatch(goFormat(changes), unstructuredProblem(why)),
        seesOwners: namesOwners(patch),
        problems,
      };
    }
  }
}

/** Strategic merge patches go by the kind that is there, whatever they say. */
function sameKind(value: JsonObject, { apiVersion, kind }: Pick<ApiObject, "apiVersion" | "kind">): JsonObject {
  return value["apiVersion"] === apiVersion && value["kind"] === kind ? value : { ...value, apiVersion, kind };
}

const OPERATION_FIELDS: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

function unknownInOperations(patch: Json): readonly string[] {
  if (!isJsonArray(patch)) return [];
  return patch.flatMap((operation, index) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((name) => !OPERATION_FIELDS.has(name))
      .map((name) => `unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  );
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

function namesOwners(patch: Json): boolean {
  const metadata = isJsonObject(patch) ? patch["metadata"] : undefined;
  return isJsonObject(metadata) && Object.hasOwn(metadata, "managedFields");
}

function unsupportedPatch({ custom }: ServedResource): Error {
  if (!custom) return apiError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  return unsupportedMediaType([PATCH_MEDIA_TYPES.json, PATCH_MEDIA_TYPES.merge, PATCH_MEDIA_TYPES.apply]);
}

type PatchKind = ReturnType<typeof requirePatchType>;

/** What Go decodes each type of patch into. */
const GO_TYPES: Readonly<Record<PatchKind, string>> = {
  json: "[]handlers.jsonPatchOp",
  merge: "map[string]interface {}",
  strategicMerge: "map[string]interface {}",
};

function parsePatch(
  { body, given, givesValue }: Pick<ApiRequest, "body" | "given" | "givesValue">,
  type: PatchKind,
): StrictJson {
  if (given !== undefined) {
    // What a merge patch that was given away makes of an object is read as what was given.
    const value = givesValue === true && type === "merge" ? (given as Json) : ownShallow(given);
    return { value, duplicates: [] };
  }
  try {
    const { value, duplicates } = parseJsonStrict(body);
    requirePatchShape(value, type);
    return { value: requireShallow(value), duplicates };
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw badRequest(type === "strategicMerge" ? error.message : `error decoding patch: ${error.message}`);
  }
}

function requirePatchShape(value: Json, type: PatchKind): void {
  const goType = GO_TYPES[type];
  const cannot = (item: Json, of: string): Error =>
    malformed(`json: cannot unmarshal ${goKindOf(item)} into Go value of type ${of}`);
  const isShaped = value === null || (type === "json" ? isJsonArray(value) : isJsonObject(value));
  if (!isShaped) throw cannot(value, goType);
  const wrong = isJsonArray(value) ? value.find((item) => item !== null && !isJsonObject(item)) : undefined;
  if (wrong !== undefined) throw cannot(wrong, goType.slice("[]".length));
}

/** A patched document is still the same object, and one of its kind. */
function patched(
  call: ResourceCall,
  current: ApiObject,
  { value, shape, refuse, problems }: Patch & { readonly value: Json; readonly shape: Shape },
): ApiObject {
  if (value === current && problems.length === 0) return current;
  const { definition } = call.resource;
  if (!isJsonObject(value)) throw badRequest("the patch did not leave an object");
  const { apiVersion = "", kind = "" } = value;
  const given = {
    apiVersion: apiVersion === "" ? apiVersionOf(definition) : String(apiVersion),
    kind: kind === "" ? definition.kind : String(kind),
  };
  const mismatch = mismatchOf(given, call);
  if (mismatch !== undefined) throw refuse(value, mismatch);
  const typed = sameKind(value, { apiVersion: apiVersionOf(definition), kind: definition.kind });
  const object = readFields(call, typed, { shape, known: current, problems, refuse: (why) => refuse(value, why) });
  const whole = isJsonObject(object["metadata"]) ? object : { ...object, metadata: {} };
  return requirePlace(call, whole as ApiObject);
}
