/** `@kubewright/core/meta`: what all Kubernetes objects have in common. */
export {
  getKey,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setKey,
} from "./json.ts";
export type {
  Condition,
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./object.ts";
export { apiVersionOf, type GroupVersionKind, type ObjectOf, type ResourceDefinition, type Scope } from "./resource.ts";
