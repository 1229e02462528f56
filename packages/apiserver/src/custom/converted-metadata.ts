/**
 * The metadata of a converted custom resource: that of the original, but for labels and annotations, which are the
 * webhook's if they are valid. conversion-webhook.ts puts it into the object; the words are kube-apiserver's.
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "@kubewright/core/meta";
import type { FieldError } from "@kubewright/core/protocol";
import { validateLabelsAndAnnotations } from "../registry/validate-metadata.ts";
import type { Metadata } from "../resource/object.ts";

/** Metadata to use, or why there is none. */
export interface RestoredMetadata {
  readonly metadata: Metadata;
  /** How an error goes on after "returned invalid"; undefined when all is well. */
  readonly problem?: string;
}

/** The metadata that an object has after its conversion. */
export function restoreMetadata(original: Metadata, given: Json | undefined): RestoredMetadata {
  const identity = identityProblem(original, isJsonObject(given) ? given : {});
  if (identity !== undefined) return { metadata: original, problem: `object: ${identity}` };
  const problem = formProblem(given);
  if (problem !== undefined) return { metadata: original, problem: `metadata: ${problem}` };
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  const metadata: Metadata = { ...kept, ...writable(given as JsonObject) };
  const errors = validateLabelsAndAnnotations(metadata);
  return errors.length === 0 ? { metadata } : { metadata, problem: `metadata: ${joined(errors)}` };
}

function joined(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? String(texts[0]) : `[${texts.join(", ")}]`;
}

const IDENTITY = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function identityProblem(original: Metadata, given: JsonObject): string | undefined {
  for (const [field, title] of IDENTITY) {
    const before = original[field] ?? "";
    const after = getKey(given, field) ?? "";
    if (before !== after) return `must have the same ${title}: ${before} != ${after}`;
  }
  return undefined;
}

const WRITABLE = ["labels", "annotations"] as const;

function formProblem(given: Json | undefined): string | undefined {
  if (given === undefined) return "missing metadata in converted object";
  if (!isJsonObject(given)) return `invalid metadata of type ${goTypeOf(given)} in converted object`;
  for (const field of WRITABLE) {
    const value = getKey(given, field) ?? {};
    if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`;
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === "string") continue;
      return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(text)} in converted object`;
    }
  }
  return undefined;
}

function writable(given: JsonObject): Pick<Metadata, (typeof WRITABLE)[number]> {
  const fields = WRITABLE.map((field) => [field, getKey(given, field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}

/** How Go names the type of a JSON value. */
function goTypeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (isJsonArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "object":
      return "map[string]interface {}";
    default:
      return Number.isInteger(value) ? "int64" : "float64";
  }
}
