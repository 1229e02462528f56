/**
 * CEL rules. The same value stands in `rules:` of a resource definition and in `.check(…)` of any zod schema; it ends
 * up in `x-kubernetes-validations` at that level. The API server runs it, and so does `validate` of this package.
 */
import { createMark, type SchemaDraft, type SchemaMark } from "./schema-mark.ts";
import type { ValidationRule } from "./structural.ts";

/** A rule that can stand anywhere in a schema. */
export type CelRule = ValidationRule & SchemaMark;

/** What a rule says when it fails, and when it runs. */
export type CelOptions = Omit<ValidationRule, "rule">;

/**
 * A CEL rule with the message for those who break it.
 * @example z.object({ min: z.int32(), max: z.int32() }).check(cel("self.min <= self.max", "min must not exceed max"))
 */
export function cel(rule: string, says?: string | CelOptions): CelRule {
  const options = typeof says === "string" ? { message: says } : says;
  const facts: ValidationRule = { rule, ...options };
  return createMark(facts, (draft) => addRule(draft, facts));
}

/** The value may not change once it is set: create may choose it, no update may touch it. */
export function immutable(message = "field is immutable"): CelRule {
  return cel("self == oldSelf", message);
}

/** Adds a rule to a JSON Schema being written. */
export function addRule(draft: SchemaDraft, rule: ValidationRule): void {
  const present = draft["x-kubernetes-validations"];
  draft["x-kubernetes-validations"] = [...(Array.isArray(present) ? present : []), rule];
}
