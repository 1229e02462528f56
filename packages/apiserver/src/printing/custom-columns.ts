/**
 * The columns of custom resources: what a CRD says in `additionalPrinterColumns`, read once per served version. A
 * column that finds nothing, or something of another type, is an empty cell. A path that cannot be read ends the
 * columns, as in kube-apiserver; the CRD was stored with a warning.
 */
import {
  findJsonPath,
  formatAge,
  isJsonArray,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonPath,
  parseJsonPath,
  parseTime,
} from "@kubewright/core/meta";
import { formatGoJson, formatNumber } from "@kubewright/core/protocol";
import type { CrdVersion } from "@kubewright/core/schema";
import type { ApiObject } from "../resource/object.ts";
import { type Column, type KindPrinter, nameOf, type PrintContext, parseColumns } from "./columns.ts";

type CrdColumns = NonNullable<CrdVersion["additionalPrinterColumns"]>;

/** What kube-apiserver shows when a CRD asks for nothing. */
const DEFAULT_COLUMNS: CrdColumns = [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];

/** The printer of a version with these columns. */
export function customPrinter(columns: CrdColumns = []): KindPrinter {
  const wanted = columns.length === 0 ? DEFAULT_COLUMNS : columns;
  const paths = wanted.map(({ jsonPath }) => orUndefined(() => parseJsonPath(jsonPath)));
  const end = paths.indexOf(undefined);
  const shown = end === -1 ? wanted : wanted.slice(0, end);
  const defined = shown.map((column, index) => ({ column: describe(column), find: finder(paths[index] ?? []) }));
  return {
    columns: [...parseColumns("Name"), ...defined.map(({ column }) => column)],
    print: (object, context) => ({
      cells: [nameOf(object), ...defined.map(({ column, find }) => cellOf(column.type, find(object), context))],
    }),
  };
}

function describe({ name, type, format = "", description = "", priority = 0, jsonPath }: CrdColumns[number]): Column {
  const usual = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description: description || usual, priority };
}

/** Finds the first value; a path that does not fit the object finds none. */
function finder(path: JsonPath): (object: ApiObject) => Json | undefined {
  return (object) => orUndefined(() => findJsonPath(object, path))?.[0];
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

function cellOf(type: string, value: Json | undefined, context: PrintContext): Json {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return formatText(value);
    case "integer":
      return typeof value === "bigint" ? value : typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? formatDate(value, context) : null;
    default:
      return null;
  }
}

/** Any value as text, as Go prints it. */
function formatText(value: Json): string {
  if (value === null) return "<no value>";
  if (isJsonObject(value) || isJsonArray(value)) return formatGoJson(value);
  return typeof value === "number" || typeof value === "bigint" ? formatNumber(value) : String(value);
}

function formatDate(text: string, { nowMs }: PrintContext): string {
  const timeMs = orUndefined(() => parseTime(text));
  return timeMs === undefined ? "<invalid>" : formatAge(nowMs - timeMs);
}
