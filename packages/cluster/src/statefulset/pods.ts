/**
 * The pods and claims of a StatefulSet: their names, and what they look like at a revision. Pure; plan.ts decides which
 * of them should exist.
 */
import type { StatefulSet } from "@kubewright/api/apps/v1";
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from "@kubewright/api/core/v1";
import { podFromTemplate } from "../workload/pod-template.ts";

/** Label with the revision that a pod was made from. */
export const REVISION_LABEL = "controller-revision-hash";
const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";

/** The ordinal in a pod's name, or undefined when the pod cannot be this set's. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const name = pod.metadata?.name ?? "";
  const prefix = `${set.metadata?.name}-`;
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^(0|[1-9][0-9]*)$/.test(digits) ? Number(digits) : undefined;
}

/** The revision that a pod was made from. */
export function revisionOfPod(pod: Pod): string {
  return pod.metadata?.labels?.[REVISION_LABEL] ?? "";
}

/** The pod with `ordinal`, made from `template`, which is that of `revision`. */
export function podFor(set: StatefulSet, ordinal: number, template: PodTemplateSpec, revision: string): Pod {
  const name = `${set.metadata?.name}-${ordinal}`;
  const { metadata, spec = { containers: [] } } = podFromTemplate(set, template);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      name,
      labels: {
        ...metadata?.labels,
        [POD_NAME_LABEL]: name,
        [POD_INDEX_LABEL]: String(ordinal),
        [REVISION_LABEL]: revision,
      },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(set.spec?.serviceName ? { subdomain: set.spec.serviceName } : {}),
      ...volumesWithClaims(set, ordinal, spec.volumes ?? []),
    },
  };
}

/** The claims of the pod with `ordinal`, one per claim template. */
export function claimsFor(set: StatefulSet, ordinal: number): PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: claimName(set, template.metadata?.name ?? "", ordinal),
      namespace: set.metadata?.namespace ?? "",
      labels: { ...template.metadata?.labels, ...set.spec?.selector.matchLabels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  }));
}

/** A volume of the template gives way to a claim of the same name. */
function volumesWithClaims(set: StatefulSet, ordinal: number, volumes: readonly Volume[]): { volumes?: Volume[] } {
  const claims = (set.spec?.volumeClaimTemplates ?? []).map((template) => template.metadata?.name ?? "");
  const made = claims.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(set, name, ordinal) },
  }));
  const all = [...made, ...volumes.filter(({ name }) => !claims.includes(name))];
  return all.length === 0 ? {} : { volumes: all };
}

function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata?.name}-${ordinal}`;
}
