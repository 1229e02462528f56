/** DELETE of a collection: every object that the selectors choose, one by one, each as a DELETE of it would. */
import { isNotFound } from "@kubewright/core/protocol";
import { deleteObject } from "../registry/delete.ts";
import { presentTexts, wholeObject } from "../registry/read.ts";
import type { ApiResponse } from "../request/request.ts";
import type { ResourceCall } from "./call.ts";
import { parseDeletion } from "./delete.ts";
import { listMetadata, readPage, respondList } from "./list.ts";
import { parseListOptions, requireValidListOptions } from "./list-options.ts";
import { negotiate } from "./representation.ts";

/** Serves "deletecollection"; answers with the objects it found. */
export async function handleDeleteCollection(call: ResourceCall): Promise<ApiResponse> {
  const { resource, info, backend } = call;
  const representation = negotiate(call);
  const options = parseListOptions(info.query, resource);
  requireValidListOptions(options, false);
  const deletion = await parseDeletion(call);
  const page = await readPage(call, options);
  for (const entry of page.entries) {
    const { name = "", namespace = "" } = wholeObject(entry).metadata;
    try {
      await deleteObject(backend, { ...deletion.write, name, namespace, isOfCollection: true }, deletion.options);
    } catch (error) {
      if (!isNotFound(error)) throw error; // Somebody else was faster.
    }
  }
  const texts = await presentTexts(resource, page.entries);
  return respondList(call, representation, { texts, metadata: listMetadata(page) });
}
