/** What a case of the corpora is. */
import type { Json } from "../../packages/core/src/meta/json.ts";
import type { StructuralSchema } from "../../packages/core/src/schema/structural.ts";

/** One question to the oracle: what becomes of an object, which may replace an old one. */
export interface SchemaCase {
  readonly name: string;
  readonly schema: StructuralSchema;
  readonly object: Json;
  readonly old?: Json;
}
