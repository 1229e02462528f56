/** DELETE of one object. Answers with a Status once it is gone, with the object while something keeps it. */
import { isJsonArray, isJsonObject, isMalformed, type JsonObject } from "@kubewright/core/meta";
import {
  badRequest,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  type PropagationPolicy,
  parseDeleteOptions,
  successStatus,
} from "@kubewright/core/protocol";
import { contentOf } from "../registry/content.ts";
import { type DeleteOptions, type Deletion, deleteObject } from "../registry/delete.ts";
import { shapeOf } from "../registry/shape.ts";
import type { WriteRequest } from "../registry/write-request.ts";
import type { ApiRequest, ApiResponse } from "../request/request.ts";
import type { ResourceCall } from "./call.ts";
import { type ParsedBody, parseValue } from "./parse-body.ts";
import { negotiate, type Representation } from "./representation.ts";
import { respondContent, respondStatus } from "./respond.ts";
import { requireValidOptions, toWriteRequest, validateDryRun } from "./write-options.ts";

const DELETE_OPTIONS = { group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" };

/** Serves "delete". */
export async function handleDelete(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  const { options, write } = await parseDeletion(call);
  const deletion = await deleteObject(call.backend, write, options);
  // Clients that refused orphaning the old way learn by the code that the deletion goes on.
  const isAccepted = write.options["orphanDependents"] === false && !deletion.removed;
  return respondDeletion(call, representation, { ...deletion, status: isAccepted ? 202 : 200 });
}

/** The options and the write of a deletion, from the body (which wins) or the query. */
export async function parseDeletion(call: ResourceCall): Promise<ParsedDeletion> {
  const { request, info } = call;
  const given =
    request.given !== undefined || request.body.byteLength > 0
      ? await parseOptionsBody(call)
      : { ...parseDeleteOptions(info.query) };
  const dryRun = isJsonArray(given["dryRun"]) ? given["dryRun"].map(String) : [];
  requireValidOptions("DeleteOptions", [...validateDryRun(dryRun), ...validatePropagation(given)]);
  const write = await toWriteRequest(call, "DeleteOptions");
  const options = { ...given, kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" };
  return { options: toDeleteOptions(given), write: { ...write, dryRun: write.dryRun || dryRun.length > 0, options } };
}

/** A deletion to be done. */
export interface ParsedDeletion {
  readonly options: DeleteOptions;
  readonly write: WriteRequest;
}

async function parseOptionsBody({ request, resource }: ResourceCall): Promise<JsonObject> {
  const { value } = await optionsIn(request);
  const { kind = "DeleteOptions", apiVersion = "v1" } = value;
  if (kind !== "DeleteOptions")
    throw badRequest(
      `no kind ${JSON.stringify(String(kind))} is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const { unknownFieldsOf } = await shapeOf(resource);
  try {
    unknownFieldsOf(DELETE_OPTIONS, value);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
  return value;
}

async function optionsIn(request: ApiRequest): Promise<ParsedBody> {
  try {
    return await parseValue(request);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
}

function validatePropagation({ propagationPolicy: policy, orphanDependents }: JsonObject): FieldError[] {
  if (policy === undefined || policy === null) return [];
  if (orphanDependents !== undefined && orphanDependents !== null) {
    return [fieldInvalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set")];
  }
  if (policy === "Background" || policy === "Foreground" || policy === "Orphan") return [];
  return [fieldNotSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"])];
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
  { entry, object, owners, removed, status }: Deletion & { readonly status: number },
): Promise<ApiResponse> {
  const { resource } = call;
  if (!removed || resource.strategy.returnsDeleted === true) {
    return respondContent(call, representation, { status, revision: entry.revision, ...contentOf(object, { owners }) });
  }
  const { group, plural } = resource.definition;
  const { name = "", uid = "" } = object.metadata;
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid };
  return respondStatus(call, representation, {
    code: 200,
    status: { ...successStatus(details), metadata: {}, details },
  });
}
