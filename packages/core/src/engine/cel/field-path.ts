/** The `fieldPath` of a rule: `.a.b` and `['key']`, relative to the node that has the rule, checked against its schema. */
import type { StructuralSchema } from "../../schema/structural.ts";

const piece = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/gy;

/** The path as field errors show it; undefined when it names nothing in the schema. */
export function ruleFieldPath(path: string, schema: StructuralSchema): string | undefined {
  let current: StructuralSchema | undefined = schema;
  let shown = "";
  let end = 0;
  piece.lastIndex = 0;
  for (let match = piece.exec(path); match !== null; match = piece.exec(path)) {
    const name = match[1] ?? (match[2] ?? "").replace(/\\(.)/g, "$1");
    end = piece.lastIndex;
    const named: boolean = current?.properties !== undefined;
    current = childSchema(current, name);
    if (current === undefined) return undefined;
    shown += named ? `${shown === "" ? "" : "."}${name}` : `[${name}]`;
  }
  return end === path.length && shown !== "" ? shown : undefined;
}

function childSchema(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  if (schema?.properties !== undefined)
    return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}
