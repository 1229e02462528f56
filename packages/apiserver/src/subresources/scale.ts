/**
 * The scale subresource: GET, PUT and PATCH of a Scale, each a read or write of the replicas of the object behind it.
 * Owners of the replicas are those of the object, seen through the Scale.
 */
import { formatTime, isJsonObject, isMalformed, type Json, type JsonObject } from "@kubewright/core/meta";
import {
  applyServerSide,
  fromScaleManagedFields,
  type OwnershipOptions,
  toScaleManagedFields,
  trackFieldOwnership,
} from "@kubewright/core/patch";
import { badRequest, fieldInvalid, invalidError, isQueryTrue, notFound, patchTypeOf } from "@kubewright/core/protocol";
import { otherVersion } from "../endpoints/body-kind.ts";
import type { Endpoint, ResourceCall } from "../endpoints/call.ts";
import { requirePlace } from "../endpoints/decode.ts";
import { parseBody, parseConfiguration } from "../endpoints/parse-body.ts";
import { readPatch } from "../endpoints/patch.ts";
import { negotiate } from "../endpoints/representation.ts";
import { respondJson, showObject } from "../endpoints/respond.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { presentObject } from "../registry/read.ts";
import { updateObject } from "../registry/update.ts";
import type { AdmittedForm, WriteRequest } from "../registry/write-request.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import { replicasPaths, toScale, withReplicas } from "./scale-object.ts";

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

/** The endpoints of every scale subresource. */
export const scaleEndpoints: ReadonlyMap<string, Endpoint> = new Map([
  ["get */scale", handleGetScale],
  ["update */scale", handleUpdateScale],
  ["patch */scale", handlePatchScale],
]);

async function handleGetScale(call: ResourceCall): Promise<ApiResponse> {
  const { resource, info, backend } = call;
  const representation = negotiate(call);
  const entry = backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name));
  if (entry === undefined) throw notFound(resource.definition, info.name);
  const scale = toScale(resource, await presentObject(resource, entry));
  return respondJson(representation, 200, await showObject(call, representation, scale));
}

async function handleUpdateScale(call: ResourceCall): Promise<ApiResponse> {
  const { value } = await parseBody(call.request, SCALE);
  const { apiVersion = "autoscaling/v1" } = value;
  if (apiVersion !== "autoscaling/v1") throw otherVersion(String(apiVersion), "autoscaling/v1");
  const wanted = requirePlace(call, await toScaleBody(value, call.resource.custom ? cannotHandleCustom : undefined));
  return writeScale(call, "UpdateOptions", (before, options) => tracked(before, wanted, options));
}

async function handlePatchScale(call: ResourceCall): Promise<ApiResponse> {
  if (patchTypeOf(call.request.headers["content-type"] ?? "") === "apply") return applyScale(call);
  const { schema } = await scaleTables();
  const { apply, refuse } = readPatch(call, schema);
  return writeScale(call, "PatchOptions", async (before, options) => {
    const { managedFields: _, ...metadata } = before.metadata;
    const value = apply({ ...before, metadata });
    return tracked(before, await toScaleBody(value, (why) => refuse(value, why)), options);
  });
}

async function applyScale(call: ResourceCall): Promise<ApiResponse> {
  const { value } = await parseConfiguration(call.request);
  const config = await toScaleBody(value);
  const force = isQueryTrue(call.info.query, "force");
  return writeScale(
    call,
    "PatchOptions",
    (live, options) => applyServerSide({ ...options, live, config, force }) as ApiObject,
  );
}

/** Makes the Scale that a client asks for from the one there is; both with the owners of their fields. */
type ScaleChange = (before: ApiObject, options: OwnershipOptions) => ApiObject | Promise<ApiObject>;

async function writeScale(
  call: ResourceCall,
  kind: "UpdateOptions" | "PatchOptions",
  change: ScaleChange,
): Promise<ApiResponse> {
  const { resource, backend } = call;
  const representation = negotiate(call);
  const admittedAs: AdmittedForm = {
    show: (object) => toScale(resource, object),
    take: (object, scale) => withReplicas(resource, object, countOf(scale)),
  };
  const write: WriteRequest = { ...(await toWriteRequest(call, kind)), ownership: "settled", admittedAs };
  const { schema } = await scaleTables();
  const options: OwnershipOptions = {
    apiVersion: "autoscaling/v1",
    manager: write.fieldManager,
    schema,
    now: formatTime(backend.clock.now()),
    subresource: "scale",
    resetFields: [["status"]],
  };
  const entry = await updateObject(backend, write, async (current) => {
    const owners = toScaleManagedFields([...(current.metadata.managedFields ?? [])], replicasPaths(resource));
    const before = withMetadata(toScale(resource, current), { managedFields: owners });
    return scaled(call, current, requirePlace(call, await change(before, options)));
  });
  const scale = toScale(resource, await presentObject(resource, entry));
  return respondJson(representation, 200, await showObject(call, representation, scale));
}

function tracked(before: ApiObject, after: ApiObject, options: OwnershipOptions): ApiObject {
  return trackFieldOwnership({ ...options, before, after: withoutZero(after) }) as ApiObject;
}

/** Go leaves a count of 0 out, so nobody owns it. */
function withoutZero(scale: ApiObject): ApiObject {
  if (!isJsonObject(scale["spec"]) || scale["spec"]["replicas"] !== 0) return scale;
  const { replicas: _, ...spec } = scale["spec"];
  return withFields(scale, { spec });
}

/** The object with what the Scale says. */
function scaled({ resource }: ResourceCall, current: ApiObject, scale: ApiObject): ApiObject {
  const replicas = resource.custom ? countOf(scale) : replicasOf(scale);
  const managedFields = fromScaleManagedFields({
    parent: [...(current.metadata.managedFields ?? [])],
    scale: [...(scale.metadata.managedFields ?? [])],
    apiVersion: current.apiVersion,
    paths: replicasPaths(resource),
  });
  const { resourceVersion = "", uid = "" } = scale.metadata;
  const metadata = {
    managedFields,
    resourceVersion: resourceVersion === "" ? current.metadata.resourceVersion : resourceVersion,
    uid: uid === "" ? current.metadata.uid : uid,
  };
  return withMetadata(withReplicas(resource, current, replicas), metadata);
}

function countOf({ spec }: ApiObject): number {
  const given = isJsonObject(spec) ? spec["replicas"] : undefined;
  return typeof given === "number" ? given : 0;
}

/** Custom resources are judged as what they are, not as their Scale. */
function replicasOf(scale: ApiObject): number {
  const { metadata } = scale;
  const replicas = countOf(scale);
  if (replicas >= 0) return replicas;
  const error = fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0");
  throw invalidError({ group: "autoscaling", kind: "Scale", name: metadata.name ?? "" }, [error]);
}

/** A Scale in a body, checked against its kind. */
async function toScaleBody(value: Json, refuse: (why: string) => Error = cannotHandle): Promise<ApiObject> {
  const { unknownFieldsOf } = await scaleTables();
  if (!isJsonObject(value)) throw badRequest("a Scale is an object");
  try {
    unknownFieldsOf({ group: "autoscaling", version: "v1", kind: "Scale" }, value);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw refuse(error.message);
  }
  const metadata: JsonObject = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  return { ...value, apiVersion: "autoscaling/v1", kind: "Scale", metadata };
}

function cannotHandle(why: string): Error {
  return badRequest(`Scale in version "v1" cannot be handled as a Scale: ${why}`);
}

/** Kubernetes knows no name for what it failed to read of a custom resource's Scale, and says so instead. */
function cannotHandleCustom(): Error {
  return badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
}

async function scaleTables() {
  const { unknownFieldsOf } = await import("@kubewright/api/check-object");
  const { schemaOf } = await import("@kubewright/api/schemas");
  return { unknownFieldsOf, schema: schemaOf("autoscaling", "v1", "Scale") ?? {} };
}
