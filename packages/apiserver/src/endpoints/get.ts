/** GET of one object, or of its status: the stored text, in the wanted form. */
import { badRequest, notFound } from "@kubewright/core/protocol";
import type { ApiResponse } from "../request/request.ts";
import { storageKey } from "../resource/resource.ts";
import type { ResourceCall } from "./call.ts";
import { parseListOptions, parseRevision } from "./list-options.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { awaitRevision } from "./revision.ts";

/** Serves "get". */
export async function handleGet(call: ResourceCall): Promise<ApiResponse> {
  const { resource, info, backend, request } = call;
  const representation = negotiate(call);
  if (info.query.has("export")) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const { resourceVersion } = parseListOptions(info.query, resource);
  await awaitRevision(backend, parseRevision(resourceVersion, "get") ?? 0, request.signal);
  const entry = backend.storage.get(resource.storageName, storageKey(resource, info.namespace, info.name));
  if (entry === undefined) throw notFound(resource.definition, info.name);
  return respondEntry(call, representation, { status: 200, entry });
}
