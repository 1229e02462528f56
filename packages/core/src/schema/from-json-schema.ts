/**
 * From the JSON Schema that a schema library writes (target "openapi-3.0") to a structural schema. Input comes from
 * `~standard.jsonSchema.input`; `defineResource` takes the output. Nothing is dropped that would change which values
 * are valid (but for formats, where the API server's reading counts): what has no structural form becomes a problem with
 * its path and a remedy.
 */
import { type Conversion, dropAbsent, type JsonSchema, pick, refuse } from "./conversion.ts";
import { areIntegers, constantOf, enumOf, hasNull, typeOfEnum } from "./enum.ts";
import { fromUnion, unionOptions } from "./from-union.ts";
import { annotations, checkRuleFields, joinRules, kubernetesKeywords } from "./keywords.ts";
import { conflictingProperty, mergeObjects } from "./merge-objects.ts";
import { numberKeywords } from "./number-format.ts";
import { FIELDS_KEYWORD } from "./schema-mark.ts";
import { joinPath, type SchemaProblem } from "./schema-problem.ts";
import { stringKeywords } from "./string-format.ts";
import type { StructuralSchema } from "./structural.ts";

/** Converts a whole JSON Schema, adding what Kubernetes cannot say to `problems`. */
export function fromJsonSchema(root: JsonSchema, path: string, problems: SchemaProblem[]): StructuralSchema {
  const definitions = (root["definitions"] ?? root["$defs"] ?? {}) as JsonSchema;
  return convert(root, path, { problems, definitions, following: [] });
}

/** Converts one node and everything below it. */
function convert(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  if (typeof json["$ref"] === "string") return convertReference(json["$ref"], path, conversion);
  const shape = convertByShape(json, path, conversion);
  const keywords = kubernetesKeywords(json, path, conversion);
  const schema = { ...annotations(json), ...shape, ...keywords, ...joinRules(shape, keywords) };
  checkRuleFields(json[FIELDS_KEYWORD], schema, { path, conversion });
  if (schema.nullable && (schema.enum !== undefined || hasNull(json["enum"]))) {
    return refuse(path, "API servers never find null among the values of an enum; use .optional()", conversion);
  }
  return schema;
}

function convertByShape(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  if (json["x-kubernetes-int-or-string"] === true) return intOrString(json, path, conversion);
  if (json["anyOf"] !== undefined || json["oneOf"] !== undefined) return convertUnion(json, path, conversion);
  if (json["allOf"] !== undefined && json["type"] === undefined) return convertIntersection(json, path, conversion);
  if (json["not"] !== undefined && json["type"] === undefined) {
    return refuse(path, "a value that can never be there (z.never) has no use in a resource; remove it", conversion);
  }
  return convertByType(json, path, conversion);
}

function convertUnion(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const { options, nullable, junctor } = unionOptions(json);
  const members = options.map((option) => convert(option, path, conversion));
  const schema = fromUnion(members, { path, conversion, junctor });
  return nullable ? { ...schema, nullable } : schema;
}

function convertByType(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const type = (json["type"] ?? typeOfEnum(json["enum"] ?? constantOf(json))) as StructuralSchema["type"];
  switch (type) {
    case "object":
      return convertObject(json, path, conversion);
    case "array":
      return convertArray(json, path, conversion);
    case "string":
      return { type, ...enumOf(json), ...stringKeywords(json, path, conversion) };
    case "integer":
    case "number":
      return { ...enumOf(json), ...numberKeywords(json, areIntegers(json["enum"]) ? "integer" : type) };
    case "boolean":
      return { type, ...enumOf(json) };
    case undefined:
      return convertUntyped(json, path, conversion);
    default:
      return refuse(path, `type ${JSON.stringify(type)} has no structural form; use .nullable() for null`, conversion);
  }
}

function convertUntyped(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  if (json["enum"] !== undefined) {
    return refuse(path, "an enum's values must all be of one type; split it or use strings", conversion);
  }
  return { "x-kubernetes-preserve-unknown-fields": true };
}

function convertObject(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const properties = json["properties"] as Readonly<Record<string, JsonSchema>> | undefined;
  const rest = json["additionalProperties"] as JsonSchema | boolean | undefined;
  if (json["patternProperties"] !== undefined) {
    return refuse(path, "patternProperties are not supported; use z.record and a cel() rule on its keys", conversion);
  }
  const names = properties === undefined ? [] : Object.keys(properties);
  return {
    type: "object",
    ...pick(json, ["minProperties", "maxProperties"]),
    ...requiredOf(json),
    ...(names.length > 0 && properties !== undefined ? convertProperties(properties, path, conversion) : {}),
    ...convertRest(rest, { named: names.length > 0, path, conversion }),
  };
}

function convertProperties(
  properties: Readonly<Record<string, JsonSchema>>,
  path: string,
  conversion: Conversion,
): StructuralSchema {
  const converted = Object.entries(properties).map(([name, property]) => [
    name,
    convert(property, joinPath(path, name), conversion),
  ]);
  return { properties: Object.fromEntries(converted) };
}

/** What may stand beside the named properties: nothing (pruned), anything (preserved) or values of one schema. */
function convertRest(
  rest: JsonSchema | boolean | undefined,
  place: { readonly named: boolean; readonly path: string; readonly conversion: Conversion },
): StructuralSchema {
  if (rest === undefined || rest === false) return {};
  const { path, conversion } = place;
  if (rest === true || Object.keys(rest).length === 0) return { "x-kubernetes-preserve-unknown-fields": true };
  if (place.named) {
    return refuse(
      path,
      "named fields and a catchall cannot stand together; put the open part in a z.record",
      conversion,
    );
  }
  return { additionalProperties: convert(rest, `${path}[*]`, conversion) };
}

function convertArray(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const { items } = json;
  if (Array.isArray(items) || json["prefixItems"] !== undefined) {
    return refuse(path, "a tuple has no structural form; use z.array, or z.object with named fields", conversion);
  }
  if (json["uniqueItems"] === true) {
    return refuse(path, "uniqueItems is forbidden because checking it is quadratic; use listSet", conversion);
  }
  return {
    type: "array",
    ...pick(json, ["minItems", "maxItems"]),
    items: convert((items ?? {}) as JsonSchema, `${path}[]`, conversion),
  };
}

/** Intersections of objects become one object; anything else must already be of one type. */
function convertIntersection(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const members = (json["allOf"] as readonly JsonSchema[]).map((member) => convert(member, path, conversion));
  if (members.every(({ type, additionalProperties }) => type === "object" && additionalProperties === undefined)) {
    const twice = conflictingProperty(members);
    if (twice === undefined) return mergeObjects(members);
    return refuse(joinPath(path, twice), "intersected objects give this field two schemas; give it one", conversion);
  }
  if (members.length === 1 && members[0] !== undefined) return members[0];
  return refuse(path, "only objects can be intersected; write one schema with all constraints", conversion);
}

function convertReference(reference: string, path: string, conversion: Conversion): StructuralSchema {
  if (reference === "#" || conversion.following.includes(reference)) {
    return refuse(
      path,
      "a schema that contains itself has no structural form; use preserveUnknown() there",
      conversion,
    );
  }
  const name = reference
    .replace(/^#\/(definitions|\$defs)\//, "")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const target = conversion.definitions[name] as JsonSchema | undefined;
  if (target === undefined) return refuse(path, `reference ${reference} leads nowhere`, conversion);
  return convert(target, path, { ...conversion, following: [...conversion.following, reference] });
}

function intOrString(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  const { pattern, minLength, maxLength } = stringKeywords(json, path, conversion);
  return dropAbsent({
    ...pick(json, ["minimum", "maximum", "enum"]),
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern,
    minLength,
    maxLength,
  });
}

function requiredOf(json: JsonSchema): StructuralSchema {
  const { required } = json;
  return Array.isArray(required) && required.length > 0 ? { required: [...required].sort() } : {};
}
