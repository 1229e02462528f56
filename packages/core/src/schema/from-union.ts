/**
 * Unions of a JSON Schema as structural schemas: integer-or-string, null, unions of one scalar type, and tagged unions of
 * objects (merged into one object, with a CEL rule per variant). Other unions have no structural form.
 */
import { type Conversion, dropAbsent, type JsonSchema, refuse } from "./conversion.ts";
import type { StructuralSchema } from "./structural.ts";
import { mergeTaggedObjects, tagOf } from "./tagged-union.ts";

/** Converts a union whose members (null left out) are converted already. */
export function fromUnion(
  options: readonly StructuralSchema[],
  path: string,
  conversion: Conversion,
): StructuralSchema {
  const [only, ...more] = options;
  if (only !== undefined && more.length === 0) return only;
  const schema = fromMembers(options.map(withoutAnnotations), path, conversion);
  return options.some((option) => option.nullable) ? { ...schema, nullable: true } : schema;
}

function fromMembers(members: readonly StructuralSchema[], path: string, conversion: Conversion): StructuralSchema {
  const types = new Set(members.map((member) => member.type));
  const misplaced = misplacedKeyword(members, types.has("object"));
  if (misplaced !== undefined) {
    return refuse(path, `${misplaced} stands on one member of a union; put it on the union`, conversion);
  }
  if (types.size === 2 && types.has("integer") && types.has("string")) {
    return integerOrString(members, path, conversion);
  }
  if (types.size === 1 && types.has("object")) return fromObjects(members, path, conversion);
  if (types.size === 1 && !types.has("array") && !types.has(undefined)) return fromScalars(members);
  return refuse(
    path,
    "a union of different types has no structural form; only integer | string has (intOrString()). " +
      "Use one optional field per type with exactlyOneOf(…)",
    conversion,
  );
}

/** What is said about one member is not said about the value: documentation goes, null may be any member's. */
function withoutAnnotations(member: StructuralSchema): StructuralSchema {
  const { title: _title, description: _description, example: _example, externalDocs: _docs, ...rest } = member;
  const { nullable: _nullable, ...constraints } = rest;
  return constraints;
}

/** Keywords that cannot stand below anyOf, nor be joined. Rules of objects are kept, under the condition of their tag. */
function misplacedKeyword(members: readonly StructuralSchema[], areObjects: boolean): string | undefined {
  const objectOnly = ["maxProperties", "minProperties", "x-kubernetes-map-type", "x-kubernetes-embedded-resource"];
  const keywords = ["default", ...(areObjects ? objectOnly : ["x-kubernetes-validations"])];
  return keywords.find((keyword) => members.some((member) => Object.hasOwn(member, keyword)));
}

/** The members of a union, and whether null is one of them. A union inside a union is one union. */
export function unionOptions(json: JsonSchema): {
  readonly options: readonly JsonSchema[];
  readonly nullable: boolean;
} {
  const all = flatten(json);
  const options = all.filter((option) => !isNull(option));
  return { options, nullable: all.length > options.length };
}

function flatten(json: JsonSchema): JsonSchema[] {
  const options = (json["anyOf"] ?? json["oneOf"]) as readonly JsonSchema[];
  return options.flatMap((option) =>
    (option["anyOf"] ?? option["oneOf"]) !== undefined && option["type"] === undefined ? flatten(option) : [option],
  );
}

function isNull(option: JsonSchema): boolean {
  const { enum: values } = option;
  return option["type"] === "null" || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

/** The bounds of each type apply to values of that type only, so they can stand side by side; enums cannot. */
function integerOrString(members: readonly StructuralSchema[], path: string, conversion: Conversion): StructuralSchema {
  const [one = {}, two = {}, ...more] = members;
  const { type: _one, format: _width, ...first } = one;
  const { type: _two, format: _format, ...second } = two;
  const both = [...Object.keys(first), ...Object.keys(second)];
  if (more.length > 0 || both.some((keyword) => !BOUNDS.has(keyword))) {
    return refuse(path, "integer | string may only have bounds and a pattern; say the rest with cel(…)", conversion);
  }
  return {
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    ...first,
    ...second,
  };
}

const BOUNDS = new Set([
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
]);

/** Enums are joined; other scalars keep one set of constraints per member. */
function fromScalars(members: readonly StructuralSchema[]): StructuralSchema {
  const type = members[0]?.type;
  const constraints = members.map(({ type: _type, ...constraint }) => constraint);
  const open = constraints.some((constraint) => Object.keys(constraint).length === 0);
  const values = constraints.map((constraint) => (Object.keys(constraint).length === 1 ? constraint.enum : undefined));
  if (open) return dropAbsent({ type });
  if (values.every((value) => value !== undefined)) return dropAbsent({ type, enum: [...new Set(values.flat())] });
  return dropAbsent({ type, anyOf: constraints });
}

function fromObjects(members: readonly StructuralSchema[], path: string, conversion: Conversion): StructuralSchema {
  const tag = tagOf(members);
  if (tag === undefined) {
    return refuse(
      path,
      "objects of a union must be told apart by a literal field (z.discriminatedUnion); " +
        "or use one object with optional fields and exactlyOneOf(…)",
      conversion,
    );
  }
  const merged = mergeTaggedObjects(members, tag);
  return typeof merged === "string" ? refuse(path, merged, conversion) : merged;
}
