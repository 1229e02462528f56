/** `@kubewright/core/schema`: resource definitions, CRDs and the engine of structural schemas. */
export {
  type ContainerResources,
  containerEnv,
  containerResources,
  type EnvironmentVariable,
  type KeyReference,
} from "./container-fields.ts";
export {
  type Crd,
  type CrdConversion,
  type CrdNames,
  type CrdOptions,
  type CrdScale,
  type CrdSubresources,
  type CrdVersion,
  toCrd,
} from "./crd.ts";
export { cronSchedule } from "./cron-field.ts";
export {
  type CustomObject,
  type CustomObjectInput,
  type CustomResource,
  defineResource,
  type PrinterColumn,
  type ResourceInput,
  type ResourceObject,
  type ResourceOptions,
  type ResourceSource,
  type ScalePaths,
  type SpecPart,
  type StatusPart,
  type StoredMeta,
  type TypeOf,
} from "./define-resource.ts";
export type { Field, FieldInternals, FieldResult, Presence } from "./field.ts";
export {
  condition,
  conditions,
  duration,
  embeddedResource,
  type IntOrString,
  int64,
  intOrString,
  preserveUnknown,
  quantity,
  time,
} from "./fields.ts";
export {
  atLeastOneOf,
  atMostOneOf,
  atomic,
  exactlyOneOf,
  externalDocs,
  format,
  type KeyOf,
  keepUnknown,
  type ListItem,
  listMap,
  listSet,
  maxProperties,
  minProperties,
} from "./marks.ts";
export { type CelOptions, type CelRule, cel, immutable } from "./rules.ts";
export type { SchemaDraft, SchemaMark } from "./schema-mark.ts";
export type { SchemaInput, SchemaOutput, SchemaSource } from "./schema-source.ts";
export type { StructuralSchema, ValidationRule, ValueValidation } from "./structural.ts";
