/**
 * What `defineResource` accepts as a schema: any value that speaks Standard JSON Schema (zod 4, valibot with its
 * converter, the fields of fields.ts). Types are read from the same value, once, where a kind is defined.
 */

/** A schema that can be turned into JSON Schema and that carries its types. */
export interface SchemaSource<Output = unknown, Input = Output> {
  readonly "~standard": {
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "openapi-3.0" }) => Record<string, unknown>;
    };
  };
}

/** The type of a value that the API server stored: defaults are filled in. */
export type SchemaOutput<Source> = Source extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : Source extends SchemaSource<infer Output, infer _Input>
    ? Output
    : never;

/** The type of a value being written: fields with defaults may be left out. */
export type SchemaInput<Source> = Source extends { readonly _zod: { readonly input: infer Input } }
  ? Input
  : Source extends SchemaSource<infer _Output, infer Input>
    ? Input
    : never;
