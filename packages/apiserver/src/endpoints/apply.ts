/**
 * PATCH with `application/apply-patch+yaml`: server-side apply. The configuration is merged into what is stored and its
 * fields become the manager's; what is not there yet is created.
 */
import { isMalformed, type JsonObject } from "@kubewright/core/meta";
import { applyServerSide } from "@kubewright/core/patch";
import { badRequest, conflict, fieldRequired, isAlreadyExists, isQueryTrue } from "@kubewright/core/protocol";
import { createObject } from "../registry/create.ts";
import { ownershipOptions } from "../registry/ownership.ts";
import { updateObject } from "../registry/update.ts";
import { strategyContext, type WriteRequest } from "../registry/write-request.ts";
import { bareError } from "../request/bare-error.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import type { StoredEntry } from "../storage/storage.ts";
import { type ResourceCall, requireMayCreate } from "./call.ts";
import { decodeConfiguration, requirePlace } from "./decode.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { unstructuredProblem } from "./unstructured-problem.ts";
import { requireValidOptions, toCreation, toWriteRequest } from "./write-options.ts";

/** Serves "patch" of type apply. */
export async function handleApply(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  if ((call.info.query.get("fieldManager") ?? "") === "") {
    requireValidOptions("PatchOptions", [fieldRequired("fieldManager", "is required for apply patch")]);
  }
  const write: WriteRequest = { ...(await toWriteRequest(call, "PatchOptions")), ownership: "settled" };
  const config = await decodeConfiguration(call);
  for (;;) {
    if (isStored(call)) {
      const entry = await converted(call, config, () => update(call, write, config));
      return respondEntry(call, representation, { status: 200, entry });
    }
    const entry = await converted(call, config, () => create(call, write, config));
    if (entry !== undefined) return respondEntry(call, representation, { status: 201, entry });
  }
}

/** What was merged is read as its kind only then; kube-apiserver takes a value that cannot be read for its own error. */
async function converted<Result>(
  { resource, info }: ResourceCall,
  config: JsonObject,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const { group, version, kind } = resource.definition;
    const described = `${group}/${version}, Kind=${kind}`;
    const why = `unable to convert unstructured object to ${described}: ${unstructuredProblem(error.message)}`;
    const { namespace = "" } = config["metadata"] as { readonly namespace?: string };
    const object = `${namespace}/${info.name}; ${described}`;
    throw bareError(500, `failed to convert new object (${object}) to proper version: ${why}`);
  }
}

function isStored({ backend, resource, info }: ResourceCall): boolean {
  const key = storageKey(resource, info.namespace, info.name);
  return info.subresource !== "" || backend.storage.get(resource.storageName, key) !== undefined;
}

function update(call: ResourceCall, write: WriteRequest, config: JsonObject): Promise<StoredEntry> {
  return updateObject(call.backend, write, (current) => readable(call, write, { live: current, config }));
}

/** Undefined when somebody else created it meanwhile: then it is there to be updated. */
async function create(call: ResourceCall, write: WriteRequest, config: JsonObject): Promise<StoredEntry | undefined> {
  const { uid } = (config["metadata"] ?? {}) as { uid?: string };
  if (uid !== undefined) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(call.resource.definition, call.info.name, why);
  }
  requireMayCreate(call);
  try {
    const merged = readable(call, write, { live: undefined, config });
    return await createObject(call.backend, toCreation(write), withMetadata(merged, { resourceVersion: undefined }));
  } catch (error) {
    if (isAlreadyExists(error) && isStored(call)) return undefined;
    throw error;
  }
}

interface Merge {
  readonly live: ApiObject | undefined;
  readonly config: JsonObject;
}

/** What was merged. A schema knows fewer types than Go: fractions, base64 and times are looked at only then. */
function readable(call: ResourceCall, write: WriteRequest, { live, config }: Merge): ApiObject {
  const merged = merge(call, write, { live, config });
  if (!call.resource.custom) write.shape.unknownFields(config);
  return merged;
}

/** Only what was merged must be in its place: the configuration of an object that is there may leave its name out. */
function merge(call: ResourceCall, write: WriteRequest, { live, config }: Merge): ApiObject {
  const { time } = strategyContext(call.backend, write, "update");
  const force = isQueryTrue(call.info.query, "force");
  try {
    const merged = applyServerSide({ ...ownershipOptions(write, time), live, config, force });
    return requirePlace(call, merged as ApiObject);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
}
