/**
 * `@kubewright/core/engine`: what structural schemas do to objects, and CEL. An entry of its own, so that operators, which
 * only define schemas, load none of it (nor re2js, which patterns need).
 */
export { CelError } from "./cel/cel-error.ts";
export { type CelType, dynType, formatType, parseType } from "./cel/cel-type.ts";
export {
  type Compiled,
  type CompileOptions,
  compileExpression,
  costPerCallMax,
  type Outcome,
  type Program,
} from "./cel/compile.ts";
export { standardFunctions } from "./cel/environment.ts";
export { costPerObjectMax, evaluateRules, type RuleResult } from "./cel/evaluate-rules.ts";
export type { Meter } from "./cel/meter.ts";
export {
  type CallContext,
  type Declaration,
  declare,
  type FunctionTable,
  functionTable,
  type Overload,
} from "./cel/overloads.ts";
export { hasRules } from "./cel/rules.ts";
export { schemaType } from "./cel/schema-types.ts";
export { dynamicValue, schemaValue, toJson } from "./cel/schema-values.ts";
export type {
  DurationValue,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TimestampValue,
  TypeValue,
  UintValue,
  Value,
} from "./cel/values.ts";
export { applyDefaults, dropNulls } from "./defaults.ts";
export { type MapMetadata, mapEmbeddedMetadata, validateEmbedded } from "./embedded.ts";
export { jsonEqual } from "./equality.ts";
export { validateListTypes } from "./list-types.ts";
export { compilePattern, matchesPattern } from "./pattern.ts";
export { type Pruned, prune } from "./prune.ts";
export { type ValidateOptions, validate } from "./validate.ts";
export { type ObjectFindings, validateObject } from "./validate-object.ts";
