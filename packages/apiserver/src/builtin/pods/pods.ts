/**
 * Pods: new ones are pending, deleted ones stay for their grace period once they run on a node, and next to nothing of
 * their spec changes. Schedulers bind them and kubelets report on them through subresources.
 */
import type { Pod, PodSpec } from "@kubewright/api/core/v1";
import type { JsonObject } from "@kubewright/core/meta";
import { deepEqual } from "@kubewright/core/meta";
import { type FieldError, fieldForbidden } from "@kubewright/core/protocol";
import { type ApiObject, withFields, withMetadata } from "../../resource/object.ts";
import type { StrategyContext } from "../../resource/strategy.ts";
import { objectOf, objectsOf } from "../defaults/fill.ts";
import type { KindParticulars } from "../kind-strategy.ts";
import { validateImageSpace } from "../validation/containers.ts";
import { validatePodSpec } from "../validation/pod-spec.ts";
import { validatePodUpdate } from "./pod-update.ts";
import { nameWarnings, podWarnings } from "./pod-warnings.ts";
import { qualityOfService } from "./quality-of-service.ts";
import { validateAnnotationChange, validateSecurityAnnotations, withProfiles } from "./security-annotations.ts";

const text = (read: (pod: Pod) => string | undefined) => (object: ApiObject) => read(object as unknown as Pod) ?? "";

/** What is particular to pods. */
export const podParticulars: KindParticulars = {
  generation: true,
  // Being bound to a node is no change that anybody asked of the pod.
  changesGeneration: (next, current) => !deepEqual(withoutNode(next), withoutNode(current)),
  returnsDeleted: true,
  selectableFields: {
    "spec.nodeName": text((pod) => pod.spec?.nodeName),
    "spec.restartPolicy": text((pod) => pod.spec?.restartPolicy),
    "spec.schedulerName": text((pod) => pod.spec?.schedulerName),
    "spec.serviceAccountName": text((pod) => pod.spec?.serviceAccountName),
    "spec.hostNetwork": text((pod) => String(pod.spec?.hostNetwork ?? false)),
    "status.phase": text((pod) => pod.status?.phase),
    "status.podIP": text((pod) => pod.status?.podIP),
    "status.podIPs": text((pod) => pod.status?.podIPs?.map(({ ip }) => ip).join(",")),
    "status.nominatedNodeName": text((pod) => pod.status?.nominatedNodeName),
    "spec.host": text((pod) => pod.spec?.nodeName),
  },
  prepareForCreate: preparePod,
  resetFields: { status: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]] },
  prepareForUpdate: preparePodUpdate,
  validate: (object, current, { subresource }) => {
    const pod = object as unknown as Pod;
    const spec = pod.spec ?? { containers: [] };
    if (subresource === "status" || subresource === "binding") return [];
    if (current !== undefined && pod.spec === specOf(current)) {
      return [...validateSecurityAnnotations(object), ...validateAnnotationChange(object, current)];
    }
    const images = [
      ...(spec.containers ?? []).flatMap((item, index) => validateImageSpace(`spec.containers[${index}]`, item)),
      ...(spec.initContainers ?? []).flatMap((item, index) =>
        validateImageSpace(`spec.initContainers[${index}]`, item),
      ),
    ];
    const errors = [
      ...validateSecurityAnnotations(object),
      ...validatePodSpec("spec", spec),
      ...images,
      ...validateTokens(spec),
    ];
    if (subresource === "ephemeralcontainers" && current !== undefined) {
      return [...errors, ...validateEphemeralChange(spec, specOf(current))];
    }
    if (current === undefined) return [...errors, ...validateNew(spec)];
    if (subresource !== undefined) return errors;
    const changed = [
      ...validateAnnotationChange(object, current),
      ...validatePodUpdate(pod, current as unknown as Pod),
    ];
    return [...errors, ...changed];
  },
  // Whoever updates pods is seldom a person.
  warnings: (object, current) => [
    ...nameWarnings(object, current, "the Pod's hostname"),
    ...(current === undefined ? podWarnings("spec", specOf(object)) : []),
  ],
  gracePeriodSeconds: graceSecondsOf,
};

function withoutNode(object: ApiObject): JsonObject {
  const { nodeName: _, ...spec } = objectOf(object["spec"]);
  return spec;
}

function specOf(object: ApiObject): PodSpec {
  return (object as unknown as Pod).spec ?? { containers: [] };
}

function preparePod(object: ApiObject, { time, warn }: StrategyContext): ApiObject {
  const spec = specOf(object);
  const isGated = (spec.schedulingGates ?? []).length > 0;
  const gated: JsonObject = {
    type: "PodScheduled",
    status: "False",
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
    lastProbeTime: null,
    lastTransitionTime: time,
  };
  const status = {
    phase: "Pending",
    qosClass: qualityOfService(spec),
    ...(isGated && { conditions: [gated] }),
  };
  return withProfiles(withFields(object, { status }), warn);
}

/** Containers to look into a pod come once there is something to see. */
function validateNew({ ephemeralContainers = [] }: PodSpec): FieldError[] {
  return (ephemeralContainers ?? []).length === 0
    ? []
    : [fieldForbidden("spec.ephemeralContainers", "cannot be set on create")];
}

/** Tokens are those of an account, so there must be one. */
function validateTokens({ serviceAccountName = "", volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName !== "") return [];
  return volumes.flatMap(({ projected }, volume) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, source) =>
      serviceAccountToken === undefined
        ? []
        : [
            fieldForbidden(
              `spec.volumes[${volume}].projected.sources[${source}].serviceAccountToken`,
              "must not be specified when serviceAccountName is not set",
            ),
          ],
    ),
  );
}

/** Containers that were added to look into a pod stay as they are. */
function validateEphemeralChange(next: PodSpec, current: PodSpec): FieldError[] {
  const containers = new Map((next.ephemeralContainers ?? []).map((container) => [container.name, container]));
  return (current.ephemeralContainers ?? []).flatMap((container) => {
    const after = containers.get(container.name);
    if (deepEqual(after, container)) return [];
    const name = JSON.stringify(container.name);
    const verb = after === undefined ? "removed" : "changed";
    return [fieldForbidden("spec.ephemeralContainers", `existing ephemeral containers ${name} may not be ${verb}`)];
  });
}

/** The status endpoint leaves who owns the pod and how it is served; a deletion stays as it was decided. */
function preparePodUpdate(next: ApiObject, current: ApiObject, { subresource }: StrategyContext): ApiObject {
  if (subresource === "ephemeralcontainers") {
    const { ephemeralContainers } = objectOf(next["spec"]);
    return withOwnersOf(next, withFields(current, { spec: { ...objectOf(current["spec"]), ephemeralContainers } }));
  }
  if (subresource === "resize") {
    return withOwnersOf(next, withFields(current, { spec: withResources(next, current) }));
  }
  if (subresource !== "status") return next;
  const kept = withMetadata(next, { ownerReferences: current.metadata.ownerReferences });
  const { qosClass } = objectOf(current["status"]);
  const status = objectOf(next["status"]);
  return qosClass === undefined || status["qosClass"] === qosClass
    ? kept
    : withFields(kept, { status: { ...status, qosClass } });
}

function withOwnersOf({ metadata: { managedFields } }: ApiObject, object: ApiObject): ApiObject {
  return withMetadata(object, { managedFields });
}

/** The current spec with the resources that an update asks for. */
function withResources(next: ApiObject, current: ApiObject): JsonObject {
  const spec = objectOf(current["spec"]);
  const resized = (list: string): JsonObject[] =>
    objectsOf(spec[list]).map((container) => {
      const wanted = objectsOf(objectOf(next["spec"])[list]).find(({ name }) => name === container["name"]);
      return wanted === undefined
        ? container
        : { ...container, resources: wanted["resources"], resizePolicy: wanted["resizePolicy"] };
    });
  return {
    ...spec,
    containers: resized("containers"),
    ...(spec["initContainers"] !== undefined && { initContainers: resized("initContainers") }),
  };
}

/** Pods that nobody runs go at once; others when their kubelet has stopped them. */
function graceSecondsOf(object: ApiObject, requestedSeconds: number | undefined): number {
  const { spec, status } = object as unknown as Pod;
  const isRunning = (spec?.nodeName ?? "") !== "" && status?.phase !== "Succeeded" && status?.phase !== "Failed";
  if (!isRunning) return 0;
  const seconds = requestedSeconds ?? spec?.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}
