/**
 * Prints a structural schema as a TypeScript type. Used for custom resources (module-of-crd.ts) and, by the generator in
 * tools, for the built-in kinds. Whatever names and values a schema holds, the text printed is one type: names are
 * quoted unless they are plain identifiers, and descriptions never reach the output.
 */
import type { StructuralSchema } from "@kubewright/core/schema";

/** How schemas become type names and types. */
export interface TypePrinter {
  /** The name to print instead of the type, for schemas that have one. */
  readonly nameOf?: (schema: StructuralSchema) => string | undefined;
}

/** `schema` as a TypeScript type, written at `indent`. */
export function printType(schema: StructuralSchema, printer: TypePrinter = {}, indent = ""): string {
  const type = printer.nameOf?.(schema) ?? printValue(schema, printer, indent);
  return schema.nullable === true ? `${type} | null` : type;
}

/** The members of an object type, one per line, each ending in a line break. */
export function printMembers(schema: StructuralSchema, printer: TypePrinter = {}, indent = "  "): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const mark = required.has(name) ? "" : "?";
      return `${indent}readonly ${printKey(name)}${mark}: ${printType(property, printer, indent)};\n`;
    })
    .join("");
}

/** A property name, quoted where TypeScript needs it. */
export function printKey(name: string): string {
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
      return `readonly ${parenthesize(printType(schema.items ?? {}, printer, indent))}[]`;
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
  const { additionalProperties: values, properties } = schema;
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || values === true;
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (typeof values === "object") return `Readonly<Record<string, ${printType(values, printer, indent)}>>`;
    return open || schema["x-kubernetes-embedded-resource"] ? "Readonly<Record<string, unknown>>" : "object";
  }
  const rest = open ? `${indent}  readonly [key: string]: unknown;\n` : "";
  return `{\n${printMembers(schema, printer, `${indent}  `)}${rest}${indent}}`;
}

function parenthesize(type: string): string {
  return / \| |^readonly /.test(type) ? `(${type})` : type;
}
