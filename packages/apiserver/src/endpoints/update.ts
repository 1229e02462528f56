/** PUT of an object, or of its status: decode → update → answer with the stored object. */
import { createObject } from "../registry/create.ts";
import { updateObject } from "../registry/update.ts";
import type { ApiResponse } from "../request/request.ts";
import { withMetadata } from "../resource/object.ts";
import { storageKey } from "../resource/resource.ts";
import { type ResourceCall, requireMayCreate } from "./call.ts";
import { decodeBody } from "./decode.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { readWriteOptions, toCreation, toWriteRequest } from "./write-options.ts";

/** Serves "update". */
export async function handleUpdate(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  readWriteOptions(call, "UpdateOptions");
  const decoded = decodeBody(call);
  const { object, known } = decoded instanceof Promise ? await decoded : decoded;
  const asked = toWriteRequest(call, "UpdateOptions", { isCanonical: true });
  const write = asked instanceof Promise ? await asked : asked;
  if (mayCreate(call)) {
    requireMayCreate(call);
    const unversioned = write.dryRun ? object : withMetadata(object, { resourceVersion: undefined });
    const entry = await createObject(call.backend, toCreation(write), unversioned);
    return respondEntry(call, representation, { status: 201, entry });
  }
  const entry = await updateObject(call.backend, write, (current) =>
    current === known ? object : write.shape.withoutNulls(object, current),
  );
  return respondEntry(call, representation, { status: 200, entry });
}

/** A few kinds are created by PUT when they are not there. */
function mayCreate({ resource, info, backend }: ResourceCall): boolean {
  if (resource.strategy.createOnUpdate !== true || info.subresource !== "") return false;
  return backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name)) === undefined;
}
