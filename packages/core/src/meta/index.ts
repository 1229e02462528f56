/** `@kubewright/core/meta`: what all Kubernetes objects have in common. */
export { formatAge, formatShortAge } from "./age.ts";
export {
  type ConditionUpdate,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  mergeConditions,
  removeCondition,
  setCondition,
} from "./conditions.ts";
export { CREATOR_SUFFIX, creatorOf, creatorsAlone, plainManager } from "./creator.ts";
export { deepEqual, deepFreeze, mapItems, shareUnchanged } from "./deep.ts";
export { durationMs, formatDuration, parseDuration } from "./duration.ts";
export {
  type FieldRequirement,
  type FieldRequirements,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
  requiredFieldValue,
} from "./field-selector.ts";
export { type IntOrString, isPercent, type Rounding, scaleIntOrPercent } from "./int-or-string.ts";
export {
  type AddressBytes,
  formatIpAddress,
  isMappedIpv4,
  maskIpAddress,
  parseIpv4,
  parseIpv6,
} from "./ip-address.ts";
export {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "./json.ts";
export {
  type JsonPath,
  type JsonPathComparison,
  type JsonPathCondition,
  type JsonPathOperand,
  type JsonPathSlice,
  type JsonPathStep,
  parseJsonPath,
} from "./json-path.ts";
export { findJsonPath } from "./json-path-find.ts";
export { JSON_DEPTH_MAX } from "./json-reader.ts";
export {
  decodeUtf8,
  parseJson,
  parseJsonStrict,
  parsePlainJson,
  type StrictJson,
  stringifyJson,
} from "./json-text.ts";
export { parseKeyValues } from "./key-values.ts";
export {
  formatLabelSelector,
  formatLabels,
  type LabelOperator,
  type LabelRequirement,
  type LabelRequirements,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Labels,
  labelRequirement,
  labelsToRequirements,
  matchesLabels,
  selectorMatches,
  toLabelRequirements,
} from "./label-selector.ts";
export { parseLabelSelector } from "./label-selector-text.ts";
export { leanObject, type ManagedFields, showWhole } from "./lean-object.ts";
export { isMalformed, type MalformedError, malformed } from "./malformed.ts";
export {
  LABEL_BYTES_MAX,
  SUBDOMAIN_BYTES_MAX,
  utf8Length,
  validateConfigKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validatePathSegment,
  validateQualifiedName,
} from "./names.ts";
export type {
  Condition,
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectIdentity,
  ObjectMeta,
  OwnerReference,
} from "./object.ts";
export { freezeOwn, type OwnJsonLimits, ownJson } from "./own-json.ts";
export {
  addOwner,
  getControllerOf,
  isControlledBy,
  isOwnedBy,
  isOwnershipError,
  type OwnerOptions,
  type OwnershipCode,
  type OwnershipError,
  removeOwner,
  setController,
} from "./ownership.ts";
export { type PodGroup, podQuota } from "./pod-quota.ts";
export { parseQuantity, type Quantity, type QuantityFormat, quantityOf } from "./quantity.ts";
export {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  negateQuantity,
  quantityToBigint,
  quantityToNumber,
  subtractQuantities,
} from "./quantity-arithmetic.ts";
export { canonicalQuantity, formatQuantity } from "./quantity-format.ts";
export {
  apiVersionOf,
  formatGroupResource,
  formatGroupVersionKind,
  type GroupResource,
  type GroupVersionKind,
  groupVersionKindOf,
  isSameGroupKind,
  type ObjectOf,
  parseApiVersion,
  parseGroupResource,
  pluralOfKind,
  type ResourceDefinition,
  type Scope,
} from "./resource.ts";
export { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime, parseMicroTime, parseTime } from "./time.ts";
