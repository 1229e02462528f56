/**
 * Marks: what Kubernetes' schemas can say beyond JSON Schema, as values that go into `.check(…)` of a zod schema.
 * A mark edits the JSON Schema that zod writes for the schema it stands on; it never changes what zod parses.
 * zod's protocol for checks (`_zod.onattach`) is spoken structurally, so that this package does not import zod.
 */

/** JSON Schema being written; marks add keywords to it. */
export type SchemaDraft = Record<string, unknown>;

/** A value for `.check(…)`: adds keywords to the schema it stands on. */
export interface SchemaMark {
  /** zod's face of a check. */
  readonly _zod: {
    readonly def: { readonly check: string };
    readonly check: (payload: unknown) => void;
    readonly onattach: never;
    /** What the mark adds. */
    readonly edit: (draft: SchemaDraft) => void;
  };
}

/** Where marks leave the names of fields that their rules speak of; the conversion checks that rules can see them. */
export const FIELDS_KEYWORD = "x-kubewright-fields";

/** Where `format(…)` leaves its format: unlike a library's own, it has no pattern that it makes superfluous. */
export const FORMAT_KEYWORD = "x-kubewright-format";

/** The part of a zod schema that a mark touches. */
interface AttachedSchema {
  readonly _zod: {
    readonly def: { readonly type: string };
    deferred?: (() => void)[] | undefined;
    processJSONSchema?: ((context: ConversionContext, draft: SchemaDraft, params: unknown) => void) | undefined;
  };
}

interface ConversionContext {
  readonly processors: Readonly<
    Record<string, (schema: unknown, context: unknown, draft: SchemaDraft, params: unknown) => void>
  >;
}

/**
 * Makes a mark of `facts`, whose own fields stay visible (so a rule is also plain data), with `edit` as its effect.
 * The `_zod` face is not enumerable: copying or printing the mark gives the facts alone.
 */
export function createMark<Facts extends object>(facts: Facts, edit: (draft: SchemaDraft) => void): Facts & SchemaMark {
  const face = {
    def: { check: "kubernetes" },
    check: () => undefined,
    edit,
    onattach: [(schema: AttachedSchema) => attach(schema, edit)],
  };
  return Object.defineProperty({ ...facts }, "_zod", { value: face }) as Facts & SchemaMark;
}

/** zod sets `processJSONSchema` while it constructs the schema, so the edit is chained in when construction ends. */
function attach(schema: AttachedSchema, edit: (draft: SchemaDraft) => void): void {
  const internals = schema._zod;
  internals.deferred ??= [];
  internals.deferred.push(() => {
    const write = internals.processJSONSchema;
    internals.processJSONSchema = (context, draft, params) => {
      if (write === undefined) context.processors[internals.def.type]?.(schema, context, draft, params);
      else write(context, draft, params);
      edit(draft);
    };
  });
}
