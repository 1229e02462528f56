/**
 * `@kubewright/core/engine`: what structural schemas do to objects. An entry of its own, so that operators, which only
 * define schemas, load none of it (nor re2js, which patterns need).
 */
export { applyDefaults, dropNulls } from "./defaults.ts";
export { validateEmbedded } from "./embedded.ts";
export { jsonEqual } from "./equality.ts";
export { validateListTypes } from "./list-types.ts";
export { compilePattern, matchesPattern } from "./pattern.ts";
export { type Pruned, prune } from "./prune.ts";
export { type ValidateOptions, validate } from "./validate.ts";
