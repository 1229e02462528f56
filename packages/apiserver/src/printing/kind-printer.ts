/**
 * The printer that knows the columns of every built-in kind (kinds/) and those of CRDs (custom-columns.ts). Loaded by
 * table-printer.ts with the first table.
 */
import { formatGroupResource, type JsonObject } from "@kubewright/core/meta";
import type { Clock } from "@kubewright/core/ports";
import { badRequest, INITIAL_EVENTS_END_ANNOTATION } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import { type KindPrinter, nameOf, parseColumns } from "./columns.ts";
import { customPrinter } from "./custom-columns.ts";
import { accessPrinters } from "./kinds/access.ts";
import { corePrinters } from "./kinds/core.ts";
import { devicePrinters } from "./kinds/devices.ts";
import { eventPrinters } from "./kinds/events.ts";
import { networkingPrinters } from "./kinds/networking.ts";
import { podPrinters } from "./kinds/pods.ts";
import { scalePrinter, scalingPrinters } from "./kinds/scaling.ts";
import { storagePrinters } from "./kinds/storage.ts";
import { workloadPrinters } from "./kinds/workloads.ts";
import type { PrintRequest, TablePrinter } from "./print-request.ts";

/** Makes the printer of a server; ages are counted on its clock. */
export function createKindPrinter(clock: Clock): TablePrinter {
  const custom = new WeakMap<ServedResource, KindPrinter>();
  const customPrinterOf = (resource: ServedResource): KindPrinter => {
    const known = custom.get(resource) ?? customPrinter(resource.columns);
    custom.set(resource, known);
    return known;
  };
  return (resource, request) => {
    const isScale = request.objects[0]?.kind === "Scale" && resource.definition.kind !== "Scale";
    const printer = isScale ? scalePrinter : resource.custom ? customPrinterOf(resource) : builtinPrinterOf(resource);
    return printTable(printer, request, clock.now());
  };
}

/** Name and time of creation: what the server prints of kinds without columns of their own. */
const defaultPrinter: KindPrinter = {
  columns: parseColumns("Name|Created At:date"),
  print: (object) => ({ cells: [nameOf(object), object.metadata.creationTimestamp ?? null] }),
};

const builtinPrinters: ReadonlyMap<string, KindPrinter> = new Map(
  Object.entries({
    ...accessPrinters,
    ...corePrinters,
    ...devicePrinters,
    ...eventPrinters,
    ...networkingPrinters,
    ...podPrinters,
    ...scalingPrinters,
    ...storagePrinters,
    ...workloadPrinters,
  }),
);

function builtinPrinterOf({ definition }: ServedResource): KindPrinter {
  return builtinPrinters.get(formatGroupResource(definition)) ?? defaultPrinter;
}

function printTable(printer: KindPrinter, request: PrintRequest, nowMs: number): JsonObject {
  const { metaVersion, listMetadata, withColumns = true } = request;
  const objects = printer.compare === undefined ? request.objects : request.objects.toSorted(printer.compare);
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: listMetadata,
    columnDefinitions: withColumns ? printer.columns : null,
    // What has no columns of its own is printed by other code of Kubernetes, which has null for no rows.
    rows:
      objects.length === 0 && printer === defaultPrinter
        ? null
        : objects.map((object) => printRow(object, printer, { request, nowMs })),
  };
}

function printRow(
  object: ApiObject,
  { print }: KindPrinter,
  { request, nowMs }: { readonly request: PrintRequest; readonly nowMs: number },
): JsonObject {
  const { cells, conditions = [] } = print(object, { nowMs });
  return { cells, ...(conditions.length > 0 && { conditions }), object: rowObject(object, request) };
}

type RowOptions = Pick<PrintRequest, "metaVersion" | "includeObject">;

function rowObject(object: ApiObject, { metaVersion, includeObject }: RowOptions): JsonObject | null {
  switch (includeObject) {
    case "None":
      if (!isInitialEnd(object)) return null;
      return rowObject(object, { metaVersion, includeObject: "Metadata" });
    case "Object":
      return object;
    case "Metadata":
    case "":
      return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${metaVersion}`, metadata: object.metadata };
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}

/** The bookmark that ends the initial events is known by its metadata alone. */
function isInitialEnd({ metadata }: ApiObject): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, INITIAL_EVENTS_END_ANNOTATION);
}
