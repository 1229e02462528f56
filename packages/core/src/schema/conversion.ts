/** What the steps of from-json-schema.ts share: their input, the problems they collect and small edits of schemas. */
import type { SchemaProblem } from "./schema-problem.ts";
import type { StructuralSchema } from "./structural.ts";

/** JSON Schema as a library wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What one conversion carries along. */
export interface Conversion {
  readonly problems: SchemaProblem[];
  readonly definitions: JsonSchema;
  /** References being followed, to notice recursion. */
  readonly following: readonly string[];
}

/** Records a problem and stands in for the node that has it. */
export function refuse(path: string, message: string, conversion: Conversion): StructuralSchema {
  conversion.problems.push({ path, message });
  return { "x-kubernetes-preserve-unknown-fields": true };
}

/** The given keywords of a JSON Schema, where present. */
export function pick(json: JsonSchema, keys: readonly (keyof StructuralSchema)[]): StructuralSchema {
  return Object.fromEntries(keys.filter((key) => json[key] !== undefined).map((key) => [key, json[key]]));
}

/** Without the keywords that are undefined. */
export function dropAbsent(
  schema: {
    readonly [Key in keyof StructuralSchema]: StructuralSchema[Key] | undefined;
  },
): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
