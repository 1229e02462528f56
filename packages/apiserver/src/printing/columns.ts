/** The columns of tables, and what a kind says to be printed. kinds/*.ts define them, table.ts makes tables of them. */
import { formatAge, isMalformed, type Json, type JsonObject, parseTime } from "@kubewright/core/meta";
import type { ApiObject } from "../resource/object.ts";
import { type Field, valueAt } from "./fields.ts";

/** A column as a Table defines it. */
export interface Column extends JsonObject {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority: number;
}

/** What printing knows beside the object. */
export interface PrintContext {
  /** The time that ages are counted to, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** A row: one cell per column, and what holds of the row as a whole. */
export interface PrintedRow {
  readonly cells: readonly Json[];
  /** @default [] */
  readonly conditions?: readonly JsonObject[];
}

/** How one kind is printed. */
export interface KindPrinter {
  readonly columns: readonly Column[];
  readonly print: (object: ApiObject, context: PrintContext) => PrintedRow;
  /** The order of rows where it is not that of the list. */
  readonly compare?: (left: ApiObject, right: ApiObject) => number;
}

/** Makes a printer from columns as text (see `parseColumns`) and their cells. */
export function printer(
  columns: string,
  cells: (object: ApiObject, context: PrintContext) => readonly Json[],
): KindPrinter {
  return { columns: parseColumns(columns), print: (object, context) => ({ cells: cells(object, context) }) };
}

/**
 * Columns from text, separated by "|": "Ready", "Desired:integer" with a type, "Attacher:string/name" with a format,
 * "IP*" for wide output only. The column "Name" is the one that names the object.
 */
export function parseColumns(text: string): readonly Column[] {
  return text.split("|").map((part) => {
    const [, name = "", wide = "", type = "string", format] = COLUMN.exec(part) ?? [];
    const usual = name === "Name" ? "name" : "";
    return { name, type, format: format ?? usual, description: "", priority: wide === "" ? 0 : 1 };
  });
}

const COLUMN = /^([^*:]+)(\*?)(?::([^/]+)(?:\/(.*))?)?$/;

/** The age of an object. */
export function age(object: ApiObject, context: PrintContext): string {
  return ageAt(object, "metadata.creationTimestamp", context);
}

/** How long ago the time at a path was; "<unknown>" when there is none. */
export function ageAt(value: Field, path: string, { nowMs }: PrintContext, absent = "<unknown>"): string {
  const timeMs = timeAt(value, path);
  return timeMs === undefined ? absent : formatAge(nowMs - timeMs);
}

/** The time at a path in milliseconds since the epoch. */
export function timeAt(value: Field, path: string): number | undefined {
  const text = valueAt(value, path);
  if (typeof text !== "string") return undefined;
  try {
    return parseTime(text);
  } catch (error) {
    if (isMalformed(error)) return undefined; // Stored times were validated; others have no age.
    throw error;
  }
}

/** The name of an object. */
export function nameOf({ metadata }: ApiObject): string {
  return metadata.name ?? "";
}
