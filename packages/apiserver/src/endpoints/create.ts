/** POST to a collection: decode → create → answer with the stored object. */
import { createObject } from "../registry/create.ts";
import type { ApiResponse } from "../request/request.ts";
import type { ResourceCall } from "./call.ts";
import { decodeBody } from "./decode.ts";
import { negotiate } from "./representation.ts";
import { respondEntry } from "./respond.ts";
import { readWriteOptions, toWriteRequest } from "./write-options.ts";

/** Serves "create". */
export async function handleCreate(call: ResourceCall): Promise<ApiResponse> {
  const representation = negotiate(call);
  readWriteOptions(call, "CreateOptions");
  const decoded = decodeBody(call);
  const { object } = decoded instanceof Promise ? await decoded : decoded;
  const asked = toWriteRequest(call, "CreateOptions", { name: object.metadata.name ?? "", isCanonical: true });
  const write = asked instanceof Promise ? await asked : asked;
  const entry = await createObject(call.backend, write, object);
  return respondEntry(call, representation, { status: 201, entry });
}
