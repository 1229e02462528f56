/** The scale of workloads: their number of replicas as an object of its own, the same for every kind that has one. */
import {
  formatLabelSelector,
  isJsonObject,
  type JsonObject,
  type LabelSelector,
  toLabelRequirements,
} from "@kubewright/core/meta";
import { badRequest, fieldInvalid, invalidError, notFound } from "@kubewright/core/protocol";
import { objectOf } from "../builtin/defaults/fill.ts";
import type { ResourceCall } from "../endpoints/call.ts";
import { patchFunction } from "../endpoints/patch.ts";
import { negotiate } from "../endpoints/representation.ts";
import { respondJson } from "../endpoints/respond.ts";
import { toWriteRequest } from "../endpoints/write-options.ts";
import { updateObject } from "../registry/update.ts";
import type { ApiResponse } from "../request/request.ts";
import { type ApiObject, decodeObject, withFields, withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import { decodeAs } from "./decode-as.ts";

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" };

/** Serves "get". */
export async function handleGetScale(call: ResourceCall): Promise<ApiResponse> {
  const { resource, info, backend } = call;
  const representation = negotiate(call);
  const entry = backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name));
  if (entry === undefined) throw notFound(resource.definition, info.name);
  return respondJson(representation, 200, scaleOf(decodeObject(entry.text)));
}

/** Serves "update". */
export async function handleUpdateScale(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  const scale = await decodeAs(call, SCALE);
  const write = await toWriteRequest(call, "UpdateOptions");
  const entry = await updateObject(call.backend, write, (current) => withScale(current, scale));
  return respondJson(representation, 200, scaleOf(decodeObject(entry.text)));
}

/** Serves "patch": the patch is for the Scale, the result for the object. */
export async function handlePatchScale(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  const apply = await patchFunction(call);
  const write = await toWriteRequest(call, "PatchOptions");
  const entry = await updateObject(call.backend, write, (current) => {
    const scale = apply(scaleOf(current));
    if (!isJsonObject(scale)) throw badRequest("the patch did not leave an object");
    return withScale(current, scale as ApiObject);
  });
  return respondJson(representation, 200, scaleOf(decodeObject(entry.text)));
}

function scaleOf({ metadata, spec, status }: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const selector = selectorText(objectOf(objectOf(spec)["selector"]));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject["metadata"],
    spec: withoutZero({ replicas: objectOf(spec)["replicas"] }),
    status: { replicas: objectOf(status)["replicas"] ?? 0, ...(selector !== "" && { selector }) },
  };
}

/** Go leaves out a wish for no replicas. */
function withoutZero({ replicas }: { readonly replicas: JsonObject[string] }): JsonObject {
  return replicas === 0 || replicas === undefined ? {} : { replicas };
}

/** Selectors of ReplicationControllers are labels, those of all others label selectors. */
function selectorText(selector: JsonObject): string {
  const isLabelSelector = "matchLabels" in selector || "matchExpressions" in selector;
  const full = isLabelSelector ? (selector as LabelSelector) : { matchLabels: selector as Record<string, string> };
  return formatLabelSelector(toLabelRequirements(full));
}

function withScale(current: ApiObject, scale: ApiObject): ApiObject {
  const { resourceVersion, uid, name } = objectOf(scale.metadata) as ApiObject["metadata"];
  if (name !== undefined && name !== current.metadata.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${current.metadata.name})`);
  }
  const replicas = objectOf(scale["spec"])["replicas"] ?? 0;
  if (typeof replicas === "number" && replicas < 0) {
    const error = fieldInvalid("spec.replicas", replicas, "must be greater than or equal to 0");
    throw invalidError({ ...SCALE, name: current.metadata.name ?? "" }, [error]);
  }
  const scaled = withFields(current, { spec: { ...objectOf(current["spec"]), replicas } });
  return withMetadata(scaled, { resourceVersion, ...(uid !== undefined && uid !== "" && { uid }) });
}
