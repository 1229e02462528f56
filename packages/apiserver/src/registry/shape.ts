/**
 * The shape of a kind: which fields it has, of which types, and what an object looks like once the server has read it.
 * Built-in kinds go by Go's types, custom resources by their schema; both by the Go type of metadata. The tables behind
 * it are loaded with the first write, not with the server.
 */
import {
  apiVersionOf,
  type GroupVersionKind,
  isJsonObject,
  isMalformed,
  type Json,
  type JsonObject,
  malformed,
  shareUnchanged,
  stringifyJson,
} from "@kubewright/core/meta";
import type { VersionConverter } from "@kubewright/core/patch";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { ApiObject, Metadata } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

/** Reads values as objects of one kind. Where there is a `known` object, which is stored, its parts need no second look. */
export interface Shape {
  /**
   * An object from a client in canonical form, without nulls, as `withoutNulls` makes it. Undefined when that cannot be said at
   * once: something may be wrong with its fields, as `unknownFields` tells, or the kind is no built-in one.
   */
  read(object: JsonObject, known?: ApiObject): JsonObject | undefined;
  /** The same for a value of a client in the process, which may have more in it than JSON has; undefined then, too. */
  readGiven(object: JsonObject, known?: ApiObject): JsonObject | undefined;
  /** Paths of fields that the kind does not have. Throws a `MalformedError` for values of a wrong type. */
  unknownFields(object: JsonObject, known?: JsonObject): readonly string[];
  /** The same for an object of another built-in kind, such as options; the tables of all are loaded together. */
  unknownFieldsOf(kind: GroupVersionKind, object: JsonObject): readonly string[];
  /** The schema that patches and ownership go by. */
  readonly schema: StructuralSchema;
  /** An object with nothing in it, as Go writes it. @default no fields */
  readonly empty?: JsonObject;
  /** Brings objects into other versions, for the owners that wrote in those. @default no other versions */
  readonly converter?: VersionConverter;
  /**
   * The object without unknown fields, with defaults, in canonical form; what equals a part of `known` is shared with it. Parts
   * of `canonical`, which is in that form but for its defaults, need no second look. @default canonical: `known`
   */
  settle(object: ApiObject, known?: ApiObject, canonical?: ApiObject): ApiObject;
  /** The object in canonical form without the nulls that Go writes for what is absent in built-in kinds; `known` is in it. */
  withoutNulls(object: ApiObject, known?: ApiObject): ApiObject;
  /** The object as it is stored and shown: as Go writes it, nulls included. */
  written(object: ApiObject, known?: KnownForms): ApiObject;
}

/** An object that is settled, and how it is stored if it is: parts of `settled` are stored as those of `stored`. */
export interface KnownForms {
  readonly settled: ApiObject;
  readonly stored?: ApiObject;
}

const shapes = new WeakMap<ServedResource, Shape>();

/** The shape of a resource's kind. */
export function shapeOf(resource: ServedResource): Shape | Promise<Shape> {
  return shapes.get(resource) ?? loadShape(resource);
}

async function loadShape(resource: ServedResource): Promise<Shape> {
  await resource.strategy.load?.();
  const shape = resource.custom ? await customShape(resource) : await builtinShape(resource);
  shapes.set(resource, shape);
  return shape;
}

async function builtinShape({ definition, strategy }: ServedResource): Promise<Shape> {
  const { unknownFieldsOf } = await import("@kubewright/api/check-object");
  const { formsOf, withZeroValues } = await import("@kubewright/api/zero-values");
  const { schemaOf } = await import("@kubewright/api/schemas");
  const schema = schemaOf(definition.group, definition.version, definition.kind) ?? {};
  const { withoutNil, read, readGiven, asStored } = formsOf(definition);
  return {
    schema,
    empty: withZeroValues(definition, { apiVersion: apiVersionOf(definition), kind: definition.kind }),
    unknownFieldsOf,
    read,
    readGiven,
    unknownFields: (object, known) => unknownFieldsOf(definition, object, known),
    withoutNulls: (object, known) => withoutNil(object, known) as ApiObject,
    written: (object, known) => asStored(object, known && { given: known.settled, written: known.stored }) as ApiObject,
    settle(object, known, canonical = known) {
      // Go's nil lists are null in JSON; strategies need not know two ways in which a list is not there.
      const shaped = withoutNil(object, canonical) as ApiObject;
      const filled = strategy.applyDefaults?.(shaped, known) ?? shaped;
      if (filled === shaped) return shaped;
      const settled = withoutNil(filled, shaped) as ApiObject;
      return known === undefined ? settled : shareUnchanged(known, settled);
    },
  };
}

async function customShape({
  schema = () => ({}),
  otherSchemas = new Map(),
  strategy,
}: ServedResource): Promise<Shape> {
  const { unknownFieldsOf, unknownMetadataFieldsOf } = await import("@kubewright/api/check-object");
  const { metadataWithZeroValues } = await import("@kubewright/api/zero-values");
  const { mapEmbeddedMetadata, prune } = await import("@kubewright/core/engine");
  const structural = await schema();
  const unknownEmbedded = (object: JsonObject): readonly string[] => {
    const unknown: string[] = [];
    mapEmbeddedMetadata(object, structural, (metadata, path) => {
      unknown.push(...embeddedUnknown(metadata, path, unknownMetadataFieldsOf));
      return metadata;
    });
    return unknown;
  };
  return {
    schema: structural,
    unknownFieldsOf,
    converter: { convert: (object, apiVersion) => convertForOwners(otherSchemas, object, apiVersion) },
    read: () => undefined,
    readGiven: () => undefined,
    unknownFields(object) {
      const { metadata, ...rest } = object;
      const ofMetadata = metadata === undefined ? [] : unknownMetadataFieldsOf(metadata);
      return [...ofMetadata, ...prune(rest, structural).unknownFields, ...unknownEmbedded(rest)];
    },
    withoutNulls: (object) => object,
    written: (object) => object,
    settle(object, known) {
      const metadata = metadataWithZeroValues(object.metadata) as Metadata;
      const settled = mapEmbeddedMetadata<JsonObject>(object, structural, (embedded) =>
        isJsonObject(embedded) ? metadataWithZeroValues(embedded) : embedded,
      );
      const shaped = { ...(settled as ApiObject), metadata };
      const filled = strategy.applyDefaults?.(shaped) ?? shaped;
      return known === undefined ? filled : shareUnchanged(known, filled);
    },
  };
}

/** Unknown fields in the metadata of an embedded resource; what is no metadata is told with its place. */
function embeddedUnknown(
  metadata: Json,
  path: string,
  unknownFieldsOf: (metadata: Json, path: string) => readonly string[],
): readonly string[] {
  try {
    return unknownFieldsOf(metadata, path);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    throw malformed(`${path}: Invalid value: ${stringifyJson(metadata)}: ${error.message}`);
  }
}

/** Versions of a CRD without conversion differ in apiVersion alone. */
function convertForOwners(
  schemas: ReadonlyMap<string, StructuralSchema>,
  object: JsonObject,
  apiVersion: string,
): { readonly object: JsonObject; readonly schema: StructuralSchema } | undefined {
  const schema = schemas.get(apiVersion);
  return schema === undefined ? undefined : { object: { ...object, apiVersion }, schema };
}
