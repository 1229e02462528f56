/**
 * Simple JSON paths into a schema (`.spec.color`, `.labels['a.b']`): where selectable fields and the fieldPath of CEL rules
 * point. Errors are worded as kube-apiserver words them.
 */
import { additionalSchemaOf, type OpenApiSchema } from "./crd-input.ts";

/** The schema a path leads to, with the path in canonical form; or what is wrong with the path. */
export type SchemaPathResult =
  | { readonly schema: OpenApiSchema | undefined; readonly path: string; readonly root: string }
  | { readonly problem: string };

/** Follows a path through a schema. */
export function followSchemaPath(
  jsonPath: string,
  schema: OpenApiSchema,
  options: { readonly allowBrackets: boolean },
): SchemaPathResult {
  const tokens = jsonPath.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]']+/g) ?? [];
  const steps: { readonly schema: OpenApiSchema | undefined; readonly text: string }[] = [];
  let current: OpenApiSchema | undefined = schema;
  for (let index = 0; index < tokens.length; ) {
    const step = readStep(tokens, index, options.allowBrackets);
    if ("problem" in step) return step;
    const next = enter(current, step.name);
    if (next === undefined) return { problem: "does not refer to a valid field" };
    current = next.schema;
    steps.push({
      schema: current,
      text: next.isNamed && steps.length > 0 ? `.${step.name}` : bracket(next, step.name),
    });
    index = step.next;
  }
  const names = steps.map((step) => step.text);
  return { schema: current, path: names.join(""), root: names[0] ?? "" };
}

type Step = { readonly name: string; readonly next: number } | { readonly problem: string };

function readStep(tokens: readonly string[], index: number, allowBrackets: boolean): Step {
  const [token, name, close] = tokens.slice(index, index + 3);
  if (token === ".") {
    return name === undefined ? { problem: "unexpected end of JSON path" } : { name, next: index + 2 };
  }
  if (token !== "[") return { problem: `expected [ or . but got: ${token}` };
  if (!allowBrackets) return { problem: "array notation is not allowed" };
  if (name === undefined) return { problem: "unexpected end of JSON path" };
  if (!/^'.*'$/s.test(name)) return { problem: `expected single quoted string but got ${name}` };
  if (close === undefined) return { problem: "unexpected end of JSON path" };
  if (close !== "]") return { problem: `expected ] but got ${close}` };
  return { name: name.slice(1, -1).replaceAll(/\\(.)/g, "$1"), next: index + 3 };
}

/** One step down: by property name in objects, by key in maps. */
function enter(
  schema: OpenApiSchema | undefined,
  name: string,
): { readonly schema: OpenApiSchema | undefined; readonly isNamed: boolean } | undefined {
  const { properties } = schema ?? {};
  if (properties !== undefined && Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? { schema: properties[name], isNamed: true } : undefined;
  }
  if (schema === undefined || schema.additionalProperties === undefined) return undefined;
  return { schema: additionalSchemaOf(schema), isNamed: false };
}

function bracket(step: { readonly isNamed: boolean }, name: string): string {
  return step.isNamed ? name : `[${name}]`;
}
