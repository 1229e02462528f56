/** DELETE of one object. Answers with a Status once it is gone, with the object while something keeps it. */
import { isJsonObject, type JsonObject } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  type PropagationPolicy,
  parseDeleteOptions,
  successStatus,
} from "@kubewright/core/protocol";
import { type DeleteOptions, type Deletion, deleteObject } from "../registry/delete.ts";
import type { WriteRequest } from "../registry/write-request.ts";
import type { ApiResponse } from "../request/request.ts";
import { encodeObject } from "../resource/object.ts";
import type { ResourceCall } from "./call.ts";
import { parseBody } from "./decode.ts";
import { negotiate, type Representation } from "./representation.ts";
import { respondJson, respondText } from "./respond.ts";
import { requireValidOptions, toWriteRequest, validateDryRun } from "./write-options.ts";

const DELETE_OPTIONS = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" };

/** Serves "delete". */
export async function handleDelete(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  const { options, write } = await parseDeletion(call);
  const deletion = await deleteObject(call.backend, write, options);
  return respondDeletion(call, representation, deletion);
}

/** The options and the write of a deletion, from the body (which wins) or the query. */
export async function parseDeletion(
  call: ResourceCall,
): Promise<{ readonly options: DeleteOptions; readonly write: WriteRequest }> {
  const { request, info } = call;
  const given =
    request.body.byteLength > 0
      ? (await parseBody(request, DELETE_OPTIONS)).value
      : { ...parseDeleteOptions(info.query) };
  const dryRun = Array.isArray(given["dryRun"]) ? (given["dryRun"] as string[]) : [];
  requireValidOptions("DeleteOptions", [...validateDryRun(dryRun), ...validatePropagation(given)]);
  const write = await toWriteRequest(call, "DeleteOptions");
  const options = { ...given, kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" };
  return { options: toDeleteOptions(given), write: { ...write, dryRun: write.dryRun || dryRun.length > 0, options } };
}

function validatePropagation({ propagationPolicy: policy, orphanDependents }: JsonObject): FieldError[] {
  if (policy === undefined || policy === null) return [];
  if (orphanDependents !== undefined && orphanDependents !== null) {
    return [fieldInvalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set")];
  }
  if (policy === "Background" || policy === "Foreground" || policy === "Orphan") return [];
  return [fieldNotSupported("propagationPolicy", policy, ["Background", "Foreground", "Orphan", "nil"])];
}

function toDeleteOptions(given: JsonObject): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = given;
  const orphanPolicy = orphanDependents === true ? "Orphan" : orphanDependents === false ? "Background" : undefined;
  const policy = (propagationPolicy ?? orphanPolicy) as PropagationPolicy | undefined;
  return {
    ...(typeof gracePeriodSeconds === "number" ? { gracePeriodSeconds } : {}),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(isJsonObject(preconditions) ? { preconditions } : {}),
  };
}

async function respondDeletion(
  call: ResourceCall,
  representation: Representation,
  { entry, object, removed }: Deletion,
): Promise<ApiResponse> {
  const { resource } = call;
  if (!removed || resource.strategy.returnsDeleted === true) {
    return respondText(call, representation, { status: 200, text: encodeObject(object, entry.revision) });
  }
  const { group, plural } = resource.definition;
  const { name = "", uid = "" } = object.metadata;
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid };
  return respondJson(representation, 200, { ...successStatus(details), metadata: {}, details });
}
