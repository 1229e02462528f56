/**
 * Prints a structural schema as a TypeScript type. Used for custom resources (module-of-crd.ts) and, by the generator in
 * tools, for the built-in kinds. Whatever names, values and descriptions a schema holds, the text printed is one type
 * that refers to no global name: a kind may be called Record.
 */
import type { StructuralSchema } from "@kubewright/core/schema";
import { printComment } from "./print-comment.ts";

/** How schemas become type names and types. */
export interface TypePrinter {
  /** The name to print instead of the type, for schemas that have one. */
  readonly nameOf?: (schema: StructuralSchema) => string | undefined;
}

/** Types nested deeper than this are printed as `unknown`; no schema made by people comes near. */
export const TYPE_DEPTH_MAX = 100;

const INDENT = "  ";
const OPEN_OBJECT = "{ readonly [key: string]: unknown }";

/** `schema` as a TypeScript type, written at `indent`. */
export function printType(schema: StructuralSchema, printer: TypePrinter = {}, indent = ""): string {
  if (indent.length > TYPE_DEPTH_MAX * INDENT.length) return "unknown";
  const type = printer.nameOf?.(schema) ?? printValue(schema, printer, indent);
  return schema.nullable === true ? `${type} | null` : type;
}

/**
 * The members of an object type, one per line, each ending in a line break. A member that has a default is optional:
 * whoever writes the object may leave it out.
 */
export function printMembers(schema: StructuralSchema, printer: TypePrinter = {}, indent: string = INDENT): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const mark = required.has(name) && property.default === undefined ? "" : "?";
      const comment = printComment(property.description, indent);
      return `${comment}${indent}readonly ${printKey(name)}${mark}: ${printType(property, printer, indent)};\n`;
    })
    .join("");
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function printValue(schema: StructuralSchema, printer: TypePrinter, indent: string): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "number | string";
  if (schema.enum?.every(isLiteral)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ") || "never";
  switch (schema.type) {
    case "string":
    case "boolean":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${parenthesize(printType(schema.items ?? {}, printer, indent + INDENT))}[]`;
    case "object":
      return printObject(schema, printer, indent);
    default:
      return "unknown";
  }
}

function isLiteral(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
}

function printObject(schema: StructuralSchema, printer: TypePrinter, indent: string): string {
  const { additionalProperties: values, properties = {} } = schema;
  if (typeof values === "object") {
    return `{ readonly [key: string]: ${printType(values, printer, indent + INDENT)} }`;
  }
  const open = values === true || isOpen(schema);
  if (Object.keys(properties).length === 0) return open ? OPEN_OBJECT : "object";
  const rest = open ? `${indent}${INDENT}readonly [key: string]: unknown;\n` : "";
  return `{\n${printMembers(schema, printer, indent + INDENT)}${rest}${indent}}`;
}

/** Whether objects may have fields that the schema does not name. */
function isOpen(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true;
}

function parenthesize(type: string): string {
  return / \| |^readonly /.test(type) ? `(${type})` : type;
}
