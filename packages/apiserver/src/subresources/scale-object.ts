/**
 * The Scale of an object: how many replicas it should have and has, and which pods they are. Built-in workloads keep
 * these in known places, custom resources where their CRD says. scale.ts serves it.
 */
import {
  apiVersionOf,
  formatLabelSelector,
  getKey,
  isJsonObject,
  type Json,
  type JsonObject,
  type LabelSelector,
  labelsToRequirements,
  type MutableJsonObject,
  setKey,
  toLabelRequirements,
} from "@kubewright/core/meta";
import { internalError } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

/** Where an object keeps what its Scale shows. */
export interface ScalePlaces {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** A selector as text; undefined when the kind has none, or has a selector object. */
  readonly selector: readonly string[] | undefined;
}

const BUILTIN: ScalePlaces = {
  specReplicas: ["spec", "replicas"],
  statusReplicas: ["status", "replicas"],
  selector: undefined,
};

/** The places of a resource's kind. */
export function scalePlaces({ custom, subresources }: ServedResource): ScalePlaces {
  const paths = subresources.find(({ name }) => name === "scale")?.scale;
  if (!custom || paths === undefined) return BUILTIN;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = paths;
  return {
    specReplicas: split(specReplicasPath),
    statusReplicas: split(statusReplicasPath),
    selector: labelSelectorPath === undefined ? undefined : split(labelSelectorPath),
  };
}

/** The Scale that an object shows. */
export function toScale(resource: ServedResource, object: ApiObject): ApiObject {
  const { specReplicas, statusReplicas } = scalePlaces(resource);
  const replicas = valueAt(object, specReplicas);
  if (replicas === undefined && resource.custom) {
    throw internalError(`the spec replicas field ".${specReplicas.join(".")}" does not exist`);
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(resource, object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject["metadata"],
    spec: typeof replicas === "number" && replicas !== 0 ? { replicas } : {},
    status: { replicas: valueAt(object, statusReplicas) ?? 0, ...(selector === "" ? {} : { selector }) },
  };
}

/** The object with the replicas that a Scale asks for. */
export function withReplicas(resource: ServedResource, object: ApiObject, replicas: number): ApiObject {
  return setAt(object, scalePlaces(resource).specReplicas, replicas) as ApiObject;
}

/** Where managers of each version of the kind find the replicas, for the owners of a Scale's fields. */
export function replicasPaths(resource: ServedResource): ReadonlyMap<string, readonly string[]> {
  const { specReplicas } = scalePlaces(resource);
  const versions = [apiVersionOf(resource.definition), ...(resource.otherSchemas?.keys() ?? [])];
  return new Map(versions.map((version) => [version, specReplicas]));
}

function selectorText(resource: ServedResource, object: ApiObject): string {
  const { selector } = scalePlaces(resource);
  if (selector !== undefined) return String(valueAt(object, selector) ?? "");
  const own = resource.custom ? undefined : valueAt(object, ["spec", "selector"]);
  if (!isJsonObject(own)) return "";
  // A ReplicationController's selector is a map, all others are selector objects.
  const requirements =
    resource.storageName === "replicationcontrollers"
      ? labelsToRequirements(own as Record<string, string>)
      : toLabelRequirements(own as LabelSelector);
  return formatLabelSelector(requirements);
}

function valueAt(value: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return value;
  return isJsonObject(value) ? valueAt(getKey(value, name), rest) : undefined;
}

function setAt(value: Json | undefined, [name, ...rest]: readonly string[], leaf: Json): Json {
  if (name === undefined) return leaf;
  const object: JsonObject = isJsonObject(value) ? value : {};
  const copy: MutableJsonObject = { ...object };
  setKey(copy, name, setAt(getKey(object, name), rest, leaf));
  return copy;
}

function split(path: string): readonly string[] {
  return path.split(".").filter((name) => name !== "");
}
