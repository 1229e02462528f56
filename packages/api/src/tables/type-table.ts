/**
 * The Go types of the Kubernetes API as rows: every field with its JSON name, protobuf number, type, and when Go leaves
 * it out, plus what OpenAPI says of it. Input: tables/generated/types.ts, where each row is JSON text that is parsed when
 * first asked for. Schemas, zero values and protobuf messages are three readings of these rows.
 */
import type { StructuralSchema } from "@kubewright/core/schema";
import { kinds, types } from "./generated/types.ts";

/** A type as Go writes it. */
export type GoType =
  /** A value without fields: "string", "int32", "bytes", or a type with JSON of its own such as "Quantity". */
  | { readonly kind: "scalar"; readonly name: string }
  /** A struct, by the id of its row. */
  | { readonly kind: "struct"; readonly id: string }
  /** A value that may be absent, which is not the same as zero. */
  | { readonly kind: "pointer"; readonly of: GoType }
  /** A list; `wrapped` if protobuf puts it into a message of its own. */
  | { readonly kind: "list"; readonly of: GoType; readonly wrapped: boolean }
  /** A map with text as keys. */
  | { readonly kind: "map"; readonly of: GoType };

/** When Go leaves a field out: never, when it is empty (structs never are), or when it is zero (structs can be). */
export type Omission = "never" | "empty" | "zero";

/** What OpenAPI adds to a field; `required` is a flag here, as the field knows it. */
export type FieldAttributes = Omit<StructuralSchema, "required"> & { readonly required?: boolean };

/** One field. */
export interface FieldRow {
  /** The JSON name; "" for a struct whose fields stand in the surrounding object. */
  readonly name: string;
  /** The protobuf number; 0 if protobuf does not have the field. */
  readonly number: number;
  readonly type: GoType;
  readonly omit: Omission;
  readonly attributes: FieldAttributes;
}

/** One struct. */
export interface TypeRow {
  /** In the order in which Go writes them. */
  readonly fields: readonly FieldRow[];
  /** "atomic": apply replaces the object as a whole. */
  readonly mapType?: "atomic" | "granular";
}

type FieldTuple = readonly [name: string, number: number, type: string, omit: Omission, attributes?: FieldAttributes];

const rows = new Map<string, TypeRow>();

/** The id of the row of a built-in kind; undefined for any other kind. DeleteOptions belong to every group version. */
export function typeOfKind(group: string, version: string, kind: string): string | undefined {
  if (kind === "DeleteOptions") return "meta/v1.DeleteOptions";
  for (const place of placesOf(kind)) if (place.version === version && place.group === group) return place.id;
  return undefined;
}

interface KindPlace {
  readonly group: string;
  readonly version: string;
  readonly id: string;
}

const placesByKind = new Map<string, readonly KindPlace[]>();

/** Where a kind is; found once, because every step of every write asks, and ids made anew are slow keys of maps. */
function placesOf(kind: string): readonly KindPlace[] {
  const known = placesByKind.get(kind);
  if (known !== undefined) return known;
  const places = Object.entries(kinds).flatMap(([groupVersion, names]) => {
    const [group = "", version = ""] = groupVersion.split("/");
    const id = `${group.split(".", 1)[0] || "core"}/${version}.${kind}`;
    return names.includes(kind) ? [{ group, version, id }] : [];
  });
  // Kinds that are not built in may have any name, so only known ones are remembered.
  if (places.length > 0) placesByKind.set(kind, places);
  return places;
}

/** The kinds that a row is the type of; most rows are of none. */
export function kindsOfType(
  id: string,
): readonly { readonly group: string; readonly kind: string; readonly version: string }[] {
  const [place = "", kind = ""] = id.split(".");
  return Object.entries(kinds).flatMap(([groupVersion, names]) => {
    const [group = "", version = ""] = groupVersion.split("/");
    const isHere = place === `${group.split(".", 1)[0] || "core"}/${version}` && names.includes(kind);
    return isHere ? [{ group, kind, version }] : [];
  });
}

/** Whether a row has this id. */
export function hasTypeRow(id: string): boolean {
  return Object.hasOwn(types, id);
}

/** The row with this id, which must exist. */
export function typeRow(id: string): TypeRow {
  const known = rows.get(id);
  if (known !== undefined) return known;
  const text = types[id];
  if (text === undefined) throw new Error(`no built-in type has the id ${JSON.stringify(id)}`);
  const row = parseRow(text);
  rows.set(id, row);
  return row;
}

function parseRow(text: string): TypeRow {
  const { fields, mapType } = JSON.parse(text) as { fields: FieldTuple[]; mapType?: "atomic" | "granular" };
  const parsed = fields.map(([name, number, type, omit, attributes]) => {
    return { name, number, type: parseType(type), omit, attributes: attributes ?? {} };
  });
  return { fields: parsed, ...(mapType && { mapType }) };
}

function parseType(text: string): GoType {
  if (text.startsWith("*")) return { kind: "pointer", of: parseType(text.slice(1)) };
  if (text.startsWith("[]")) return { kind: "list", of: parseType(text.slice(2)), wrapped: false };
  if (text.startsWith("message[]")) return { kind: "list", of: parseType(text.slice(9)), wrapped: true };
  if (text.startsWith("map[string]")) return { kind: "map", of: parseType(text.slice(11)) };
  return text.includes("/") ? { kind: "struct", id: text } : { kind: "scalar", name: text };
}
