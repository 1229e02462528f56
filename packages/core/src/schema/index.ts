/** `@kubewright/core/schema`: resource definitions, CRDs and the engine of structural schemas. */
export type { StructuralSchema, ValidationRule, ValueValidation } from "./structural.ts";
