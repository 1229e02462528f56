/** Writes that the server makes on its own account: bootstrap objects, the cleanup of custom resources. */

import { Warnings } from "../request/request.ts";
import { administrator } from "../request/user.ts";
import type { ServedResource } from "../resource/resource.ts";
import { shapeOf } from "./shape.ts";
import type { WriteRequest } from "./write-request.ts";

/** Which object, and by which subresource. */
export interface InternalTarget {
  readonly name: string;
  /** "" for cluster scope. */
  readonly namespace: string;
  /** @default "" */
  readonly subresource?: string;
}

/** A write by the server itself. */
export async function internalWrite(
  resource: ServedResource,
  { name, namespace, subresource = "" }: InternalTarget,
): Promise<WriteRequest> {
  return {
    resource,
    subresource,
    namespace,
    name,
    user: administrator,
    dryRun: false,
    fieldManager: "kube-apiserver",
    options: {},
    shape: await shapeOf(resource),
    ownership: "track",
    warnings: new Warnings(),
    signal: new AbortController().signal,
  };
}
