/**
 * Printing: how objects become the Table that kubectl shows. The default has a name and the time of creation, as the
 * server prints kinds that define no columns of their own.
 */
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
}

/** Makes a Table of objects of one resource. */
export type TablePrinter = (resource: ServedResource, request: PrintRequest) => JsonObject | Promise<JsonObject>;

/** A table with the columns that every kind has. */
export const printDefaultTable: TablePrinter = (_resource, { objects, metaVersion, listMetadata, includeObject }) => ({
  kind: "Table",
  apiVersion: `meta.k8s.io/${metaVersion}`,
  metadata: listMetadata,
  columnDefinitions: [
    { name: "Name", type: "string", format: "name", description: "Name of the object", priority: 0 },
    { name: "Created At", type: "date", format: "", description: "When the object was created", priority: 0 },
  ],
  rows: objects.map((object) => ({
    cells: [object.metadata.name ?? "", object.metadata.creationTimestamp ?? null],
    object: rowObject(object, metaVersion, includeObject),
  })),
});

function rowObject(object: ApiObject, metaVersion: string, includeObject: string): JsonObject | null {
  if (includeObject === "None") return null;
  if (includeObject === "Object") return object;
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${metaVersion}`, metadata: object.metadata };
}
