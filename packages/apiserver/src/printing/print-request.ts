/** Printing, seen from the endpoints: what to print, and who makes a Table of it. */
import type { JsonObject } from "@kubewright/core/meta";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

/** What to print. */
export interface PrintRequest {
  readonly objects: readonly ApiObject[];
  /** "v1" or "v1beta1". */
  readonly metaVersion: string;
  /** Metadata of the table: that of the list, or the object's resourceVersion. */
  readonly listMetadata: JsonObject;
  /** "None", "Metadata" or "Object": what each row carries of its object. */
  readonly includeObject: string;
  /** Whether the table says what its columns are; later events of a watch do not. @default true */
  readonly withColumns?: boolean;
}

/** Makes a Table of objects of one resource. */
export type TablePrinter = (resource: ServedResource, request: PrintRequest) => JsonObject | Promise<JsonObject>;
