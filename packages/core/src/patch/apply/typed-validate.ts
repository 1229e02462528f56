/**
 * Checks that a value fits its type before apply works on it: declared fields only, scalars of the right kind, list
 * items with keys, no duplicates (which the live object may have and an applied configuration may not).
 */
import { getKey, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../meta/json.ts";
import { goFormat, goSyntax, goTypeName } from "../go-format.ts";
import { listElement } from "./list-element.ts";
import { fieldElement, formatElement, formatPath, type PathElement } from "./path-element.ts";
import { type ListView, type MapView, type ScalarType, shapeOf, type TypeView } from "./type-view.ts";

/** One thing that does not fit. */
export interface TypeProblem {
  readonly path: string;
  readonly message: string;
}

/** How a value is checked. */
export interface TypedValidation {
  /** Whether keys may stand twice in a list. */
  readonly allowDuplicates: boolean;
  /** A value that fits the type: what it shares with the checked one is not looked at again. @default none */
  readonly fitting?: Json | undefined;
}

/** Everything that does not fit the type; empty when all does. */
export function validateTyped(
  value: Json,
  view: TypeView,
  { allowDuplicates, fitting }: TypedValidation,
): readonly TypeProblem[] {
  const problems: TypeProblem[] = [];
  visit(value, view, fitting, { problems, allowDuplicates, path: [] });
  return problems;
}

/** Problems as one text, the way the API server words them. */
export function formatProblems(problems: readonly TypeProblem[]): string {
  const texts = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] ?? "") : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

interface Visit {
  readonly problems: TypeProblem[];
  readonly allowDuplicates: boolean;
  /** Names of fields, and steps to items of lists: made into a path only when there is something to tell. */
  readonly path: (string | { readonly element: PathElement })[];
}

/** `fitting` is what stands at the same place of a value that fits. */
function visit(value: Json, view: TypeView, fitting: Json | undefined, at: Visit): void {
  if (value === fitting) return;
  if (typeof value !== "object" && view.scalar !== undefined) {
    visitScalar(value, view.scalar, at);
    return;
  }
  const shape = shapeOf(view, value);
  if (value === null || shape === undefined) return;
  if (shape.kind === "scalar") visitScalar(value, shape.scalar, at);
  else if (shape.kind === "map") visitMap(value, shape.map, fitting, at);
  else visitList(value, shape.list, at);
}

function visitScalar(value: Json, scalar: ScalarType, at: Visit): void {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (scalar === "numeric" && !isNumber) {
    report(at, `expected numeric (int or float), got ${goTypeName(value)}`);
  } else if (scalar === "string" && typeof value !== "string") {
    report(at, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  } else if (scalar === "boolean" && typeof value !== "boolean") {
    report(at, `expected boolean, got &{${goFormat(value)}}`);
  } else if (scalar === "untyped" && (isJsonObject(value) || isJsonArray(value))) {
    report(at, `expected any scalar, got &{${goFormat(value)}}`);
  }
}

function visitMap(value: Json, map: MapView, fitting: Json | undefined, at: Visit): void {
  if (!isJsonObject(value)) {
    report(at, `expected map, got &{${goFormat(value)}}`);
    return;
  }
  const known = isJsonObject(fitting) ? fitting : undefined;
  for (const key in value) {
    const child = value[key];
    if (child === undefined || child === known?.[key]) continue; // What an object inherits is no JSON.
    const type = map.field(key);
    at.path.push(key);
    if (type === undefined) report(at, "field not declared in schema");
    else visit(child, type, known && getKey(known, key), at);
    at.path.pop();
    // As in Kubernetes, the first undeclared field ends the search at this level.
    if (type === undefined) return;
  }
}

function visitList(value: Json, list: ListView, at: Visit): void {
  if (!isJsonArray(value)) {
    report(at, `expected list, got &{${goFormat(value)}}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const result = list.atomic ? { element: `i:${index}` } : listElement(list, item);
    if ("problem" in result) {
      report(at, `element ${index}: ${result.problem}`);
      return;
    }
    if (seen.has(result.element) && !at.allowDuplicates) {
      report(at, `duplicate entries for key ${formatElement(result.element)}`);
    }
    seen.add(result.element);
    visitItem(item, list, { at, element: result.element });
  }
}

function visitItem(
  item: Json,
  list: ListView,
  { at, element }: { readonly at: Visit; readonly element: string },
): void {
  if (isPlainScalar(item) && list.element().scalar === "untyped") return;
  at.path.push({ element });
  visit(item, list.element(), undefined, at);
  at.path.pop();
}

function isPlainScalar(value: Json): boolean {
  return value !== null && typeof value !== "object";
}

function report(at: Visit, message: string): void {
  const path = at.path.map((step) => (typeof step === "string" ? fieldElement(step) : step.element));
  at.problems.push({ path: formatPath(path), message });
}

/** The name of an object as errors print it: `namespace/name; group/version, Kind=Kind`. */
export function describeObject(object: JsonObject): string {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  return `${textOf(metadata["namespace"])}/${textOf(metadata["name"])}; ${describeKind(object)}`;
}

/** The kind of an object as errors print it: `group/version, Kind=Kind`. */
export function describeKind(object: JsonObject): string {
  const [group, version] = splitApiVersion(textOf(object["apiVersion"]));
  return `${group}/${version}, Kind=${textOf(object["kind"])}`;
}

function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
