/**
 * The way from client-side to server-side apply: `kubectl apply` kept its configuration in an annotation. For the manager
 * "kubectl" fields that the annotation and the live object agree on do not conflict, and the annotation stays current.
 */
import { isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { parseJson } from "../../meta/json-text.ts";
import { utf8Length } from "../../meta/names.ts";
import { goJson } from "../go-format.ts";
import { difference, type FieldSet } from "./field-set.ts";
import { compareTyped } from "./typed-compare.ts";
import { fieldsOf } from "./typed-fields.ts";
import type { TypedObject } from "./typed-object.ts";
import { validateTyped } from "./typed-validate.ts";

/** The manager for which the annotation counts. */
export const lastAppliedManager = "kubectl";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const annotationsBytesMax = 256 * 1024;

/** The fields that client-side apply set and nobody changed since; undefined when the annotation tells nothing. */
export function fieldsOfLastApplied(live: TypedObject): FieldSet | undefined {
  const config = parseLastApplied(annotationsOf(live.object)?.[annotation], live.apiVersion);
  if (config === undefined || !fits(config, live) || !fits(live.object, live)) return undefined;
  const { modified, added, removed } = compareTyped(config, live.object, live.view);
  return difference(difference(difference(fieldsOf(config, live.view), modified), added), removed);
}

/** The object with the annotation brought up to date, if it has one that says something. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  const current = annotations?.[annotation];
  if (typeof current !== "string" || current === "") return object;
  const value = `${goJson(withoutAnnotation(config))}\n`;
  if (value === current) return object;
  const { [annotation]: _, ...others } = annotations as JsonObject;
  const updated = { ...others, [annotation]: value };
  return withAnnotations(object, annotationBytes(updated) > annotationsBytesMax ? others : updated);
}

function parseLastApplied(text: Json | undefined, apiVersion: string): JsonObject | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const config = parseJson(text);
    return isJsonObject(config) && config["apiVersion"] === apiVersion ? config : undefined;
  } catch {
    return undefined; // A broken annotation tells nothing; the apply goes on without it.
  }
}

function fits(object: JsonObject, { view }: TypedObject): boolean {
  return validateTyped(object, view, { allowDuplicates: false }).length === 0;
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = object["metadata"];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (annotations === undefined || !Object.hasOwn(annotations, annotation)) return config;
  const { [annotation]: _, ...others } = annotations;
  return withAnnotations(config, others);
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), annotations } };
}

function annotationBytes(annotations: JsonObject): number {
  const sizes = Object.entries(annotations).map(([key, value]) => utf8Length(key) + utf8Length(String(value)));
  return sizes.reduce((total, size) => total + size, 0);
}
