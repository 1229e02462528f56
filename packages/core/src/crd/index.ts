/** `@kubewright/core/crd`: the validation of CustomResourceDefinitions, as an API server does it. */

export { columnWarnings } from "./column-warnings.ts";
export type { CrdConversionInput, CrdInput, CrdVersionInput, OpenApiSchema } from "./crd-input.ts";
export { crdWarnings } from "./crd-warnings.ts";
export { type CrdValidationOptions, validateCrd } from "./validate-crd.ts";
export { validateNames } from "./validate-names.ts";
