/**
 * Marks beyond rules: how lists and maps merge, what may stand beside what, and keywords zod has no method for. All go
 * into `.check(…)` of a zod schema (or of a field).
 */
import { celName } from "./cel-name.ts";
import { addRule, type CelRule, cel } from "./rules.ts";
import { createMark, FIELDS_KEYWORD, FORMAT_KEYWORD, type SchemaDraft, type SchemaMark } from "./schema-mark.ts";

/** A schema that lists can be made of: zod's schemas and fields. */
export interface ListItem {
  readonly _zod: { readonly output: unknown };
  array(): { check(mark: SchemaMark): unknown };
}

/** The names of an item's fields. */
export type KeyOf<Item extends ListItem> = keyof Item["_zod"]["output"] & string;

/**
 * A list that is merged by key, with at most one item per key. Keys must be required or have a default.
 * @example jobs: listMap(Job, "name").min(1)
 */
export function listMap<Item extends ListItem>(
  item: Item,
  ...keys: readonly [KeyOf<Item>, ...KeyOf<Item>[]]
): ReturnType<Item["array"]> {
  return list(item, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
}

/** A list of scalars in which each value stands at most once. */
export function listSet<Item extends ListItem>(item: Item): ReturnType<Item["array"]> {
  return list(item, { "x-kubernetes-list-type": "set" });
}

/** The list or object is replaced as a whole when it is applied. Lists are so by default. */
export function atomic(): SchemaMark {
  return createMark({}, (draft) => {
    const keyword = draft["type"] === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
    draft[keyword] = "atomic";
  });
}

/** Unknown fields are kept, beside the named ones. */
export function keepUnknown(): SchemaMark {
  return keywords({ "x-kubernetes-preserve-unknown-fields": true });
}

/** At least this many fields, for z.record. */
export function minProperties(minimum: number): SchemaMark {
  return keywords({ minProperties: minimum });
}

/** At most this many fields, for z.record. */
export function maxProperties(maximum: number): SchemaMark {
  return keywords({ maxProperties: maximum });
}

/** A format that the API server checks: "cidr", "byte", "k8s-short-name" … */
export function format(name: string): SchemaMark {
  return keywords({ [FORMAT_KEYWORD]: name });
}

/** A link to further documentation. */
export function externalDocs(url: string, description?: string): SchemaMark {
  return keywords({ externalDocs: description === undefined ? { url } : { url, description } });
}

/** No more than one of the fields may be set. */
export function atMostOneOf(...fields: readonly string[]): CelRule {
  return union(fields, `${count(fields)} <= 1`, `at most one of the fields in ${listed(fields)} may be set`);
}

/** One of the fields must be set, and no other of them. */
export function exactlyOneOf(...fields: readonly string[]): CelRule {
  return union(fields, `${count(fields)} == 1`, `exactly one of the fields in ${listed(fields)} must be set`);
}

/** One or more of the fields must be set. */
export function atLeastOneOf(...fields: readonly string[]): CelRule {
  const any = fields.map((field) => `has(self.${celName(field)})`).join("||");
  return union(fields, any, `at least one of the fields in ${listed(fields)} must be set`);
}

/** Counts in CEL which fields are set. */
function count(fields: readonly string[]): string {
  return fields.map((field) => `(has(self.${celName(field)})?1:0)`).join("+");
}

/** As Go prints lists, so that messages are those of controller-gen. */
function listed(fields: readonly string[]): string {
  return `[${fields.join(" ")}]`;
}

/** A rule over optional fields. */
function union(fields: readonly string[], rule: string, message: string): CelRule {
  const facts = { ...cel(rule, message) };
  return createMark(facts, (draft) => {
    const present = draft[FIELDS_KEYWORD];
    draft[FIELDS_KEYWORD] = [...(Array.isArray(present) ? present : []), ...fields];
    addRule(draft, facts);
  });
}

function keywords(values: SchemaDraft): SchemaMark {
  return createMark({}, (draft) => {
    Object.assign(draft, values);
  });
}

function list<Item extends ListItem>(item: Item, values: SchemaDraft): ReturnType<Item["array"]> {
  // `.check` gives back the schema it stands on, so the list keeps the type that `.array()` gave it.
  return item.array().check(keywords(values)) as ReturnType<Item["array"]>;
}
