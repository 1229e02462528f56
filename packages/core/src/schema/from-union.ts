/**
 * Unions of a JSON Schema as structural schemas: integer-or-string, null, unions of one scalar type, and tagged unions of
 * objects (merged into one object, with a CEL rule per variant). Other unions have no structural form.
 */
import { type Conversion, dropAbsent, type JsonSchema, refuse } from "./conversion.ts";
import type { StructuralSchema } from "./structural.ts";
import { mergeTaggedObjects, tagOf } from "./tagged-union.ts";

/** Where a union stands. */
export interface UnionPlace {
  readonly path: string;
  readonly conversion: Conversion;
  readonly junctor: Junctor;
}

/** Converts a union whose members (null left out) are converted already. */
export function fromUnion(options: readonly StructuralSchema[], place: UnionPlace): StructuralSchema {
  const [only, ...more] = options;
  if (only !== undefined && more.length === 0) return only;
  const schema = fromMembers(options.map(withoutAnnotations), place);
  return options.some((option) => option.nullable) ? { ...schema, nullable: true } : schema;
}

function fromMembers(members: readonly StructuralSchema[], place: UnionPlace): StructuralSchema {
  const { path, conversion } = place;
  const types = new Set(members.map((member) => member.type));
  const misplaced = misplacedKeyword(members, types.has("object"));
  if (misplaced !== undefined) {
    return refuse(path, `${misplaced} stands on one member of a union; put it on the union`, conversion);
  }
  if (types.size === 2 && types.has("integer") && types.has("string")) {
    return integerOrString(members, path, conversion);
  }
  if (types.size === 1 && types.has("object")) return fromObjects(members, path, conversion);
  if (types.size === 1 && !types.has("array") && !types.has(undefined)) return fromScalars(members, place.junctor);
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

/** Whether a value may fit several members (z.union) or must fit just one (z.xor). */
export type Junctor = "anyOf" | "oneOf";

/** The members of a union, and whether null is one of them. */
export function unionOptions(json: JsonSchema): {
  readonly options: readonly JsonSchema[];
  readonly nullable: boolean;
  readonly junctor: Junctor;
} {
  const junctor = json["anyOf"] === undefined ? "oneOf" : "anyOf";
  const all = membersOf(json, junctor);
  const options = all.filter((option) => !isNull(option));
  return { options, nullable: all.length > options.length, junctor };
}

/** A plain union inside a union is one union; one that says more of itself stays a member. */
function membersOf(json: JsonSchema, junctor: Junctor): JsonSchema[] {
  const options = json[junctor] as readonly JsonSchema[];
  const isPlain = (option: JsonSchema) => junctor === "anyOf" && Object.keys(option).join() === "anyOf";
  return options.flatMap((option) => (isPlain(option) ? membersOf(option, junctor) : [option]));
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
function fromScalars(members: readonly StructuralSchema[], junctor: Junctor): StructuralSchema {
  const type = members[0]?.type;
  const constraints = members.map(({ type: _type, ...constraint }) => constraint);
  const values = constraints.map((constraint) => (Object.keys(constraint).length === 1 ? constraint.enum : undefined));
  const joined = values.flatMap((value) => value ?? []);
  const areDistinct = new Set(joined).size === joined.length;
  if (values.every((value) => value !== undefined) && (areDistinct || junctor === "anyOf")) {
    return dropAbsent({ type, enum: [...new Set(joined)] });
  }
  // A member without constraints takes every value of its type, so nothing is left to say.
  const isOpen = constraints.some((constraint) => Object.keys(constraint).length === 0);
  return isOpen && junctor === "anyOf" ? dropAbsent({ type }) : dropAbsent({ type, [junctor]: constraints });
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
