/**
 * Fields: schemas for what Kubernetes has and schema libraries have not (quantities, int-or-string, conditions …).
 * A field stands inside `z.object({…})` beside zod's own schemas because it speaks zod's protocol (`_zod`), and stands
 * alone because it speaks Standard JSON Schema. zod itself is not imported: an operator without it still loads.
 * fields.ts makes them; from-json-schema.ts reads what they write.
 */
import type { Json } from "../meta/json.ts";
import type { SchemaDraft, SchemaMark } from "./schema-mark.ts";
import type { StructuralSchema } from "./structural.ts";

/** Whether a field may be left out: never; always; or because a default stands in. */
export type Presence = "required" | "optional" | "defaulted";

/** What a field is made of. */
export interface FieldFacts {
  readonly schema: StructuralSchema;
  readonly presence: Presence;
  /** Says what is wrong with a value, or nothing. */
  readonly problem: (value: unknown) => string | undefined;
}

/**
 * How zod sees a field. Members that only zod's code reads are typed `never`: assignable to whatever type the installed
 * version of zod gives them.
 */
export interface FieldInternals<Output, Input, When extends Presence> {
  readonly output: Output;
  readonly input: Input;
  readonly optin: When extends "required" ? undefined : When;
  readonly optout: When extends "optional" ? "optional" : undefined;
  readonly version: never;
  readonly def: never;
  readonly deferred: never;
  readonly run: never;
  readonly parse: never;
  readonly traits: never;
  readonly pattern: never;
  readonly constr: never;
  readonly bag: never;
  readonly isst: never;
}

/** A schema of ours, to be used like one of zod's. */
export interface Field<Output, Input = Output, When extends Presence = "required"> {
  readonly _zod: FieldInternals<Output, Input, When>;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "kubewright";
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => FieldResult<Output>;
    readonly jsonSchema: {
      readonly input: (options?: object) => Record<string, unknown>;
      readonly output: (options?: object) => Record<string, unknown>;
    };
  };
  /** The field may be left out. */
  optional(): Field<Output | undefined, Input | undefined, "optional">;
  /** The field may be null. */
  nullable(): Field<Output | null, Input | null, When>;
  /** The API server fills this value in where the field is left out. */
  default(value: Exclude<Output, undefined>): Field<Exclude<Output, undefined>, Input | undefined, "defaulted">;
  /** A list of such values. */
  array(): Field<Output[], Input[]>;
  /** The field's documentation, shown by `kubectl explain`. */
  describe(description: string): Field<Output, Input, When>;
  /** More keywords of the schema: bounds, title, example … */
  meta(keywords: StructuralSchema): Field<Output, Input, When>;
  /** Adds rules and marks. */
  check(...marks: readonly SchemaMark[]): Field<Output, Input, When>;
}

/** The result of a Standard Schema validation. */
export type FieldResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** Makes a field. `Output` and `Input` are the caller's promise about `facts`. */
export function createField<Output, Input = Output, When extends Presence = "required">(
  facts: FieldFacts,
): Field<Output, Input, When> {
  const { schema } = facts;
  const withSchema = (more: StructuralSchema): FieldFacts => ({ ...facts, schema: { ...schema, ...more } });
  const draft = (): SchemaDraft => structuredClone(schema) as SchemaDraft;
  const methods: Omit<Field<Output, Input, When>, "_zod" | "~standard"> = {
    optional: () => createField({ ...facts, presence: "optional" }),
    nullable: () => createField({ ...withSchema({ nullable: true }), problem: orNull(facts.problem) }),
    default: (value) => createField({ ...withSchema({ default: value as Json }), presence: "defaulted" }),
    array: () =>
      createField({ schema: { type: "array", items: schema }, presence: "required", problem: each(facts.problem) }),
    describe: (description) => createField(withSchema({ description })),
    meta: (keywords) => createField(withSchema(keywords)),
    check: (...marks) => createField({ ...facts, schema: marked(draft(), marks) }),
  };
  return { ...methods, ...faces<Output>(facts, draft) } as Field<Output, Input, When>;
}

/** The two protocols: zod's and Standard Schema's. */
function faces<Output>(facts: FieldFacts, draft: () => SchemaDraft): object {
  const face = {
    version: { major: 4, minor: 0, patch: 0 },
    def: { type: "custom" },
    bag: {},
    traits: new Set(["$ZodType"]),
    optin: facts.presence === "required" ? undefined : facts.presence,
    optout: facts.presence === "optional" ? "optional" : undefined,
    toJSONSchema: draft,
    run: (payload: ParsePayload) => parse(facts, payload),
    parse: (payload: ParsePayload) => parse(facts, payload),
  };
  const validate = (value: unknown): FieldResult<Output> => {
    const { value: output, issues } = parse(facts, { value, issues: [] });
    return issues.length === 0 ? { value: output as Output } : { issues };
  };
  const standard = { version: 1, vendor: "kubewright", validate, jsonSchema: { input: draft, output: draft } };
  return { _zod: face, "~standard": standard };
}

/** zod hands a value through schemas in such a payload and collects issues in it. */
interface ParsePayload {
  value: unknown;
  readonly issues: { readonly code: "custom"; readonly message: string; readonly input: unknown }[];
}

function parse(facts: FieldFacts, payload: ParsePayload): ParsePayload {
  if (payload.value === undefined && facts.presence !== "required") {
    payload.value = structuredClone(facts.schema.default);
    return payload;
  }
  const message = facts.problem(payload.value);
  if (message !== undefined) payload.issues.push({ code: "custom", message, input: payload.value });
  return payload;
}

function orNull(problem: FieldFacts["problem"]): FieldFacts["problem"] {
  return (value) => (value === null ? undefined : problem(value));
}

function each(problem: FieldFacts["problem"]): FieldFacts["problem"] {
  return (value) => {
    if (!Array.isArray(value)) return "expected a list";
    return value.map(problem).find((message) => message !== undefined);
  };
}

function marked(draft: SchemaDraft, marks: readonly SchemaMark[]): StructuralSchema {
  for (const mark of marks) mark._zod.edit(draft);
  return draft as StructuralSchema;
}
