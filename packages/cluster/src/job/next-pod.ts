/** What the next pod of a Job looks like. Pure. */
import type { Job } from "@kubewright/api/batch/v1";
import type { Container, Pod } from "@kubewright/api/core/v1";
import { setController } from "@kubewright/core/meta";
import { podFromTemplate } from "../workload/pod-template.ts";
import { failureCounts } from "./index-failures.ts";
import { COMPLETION_INDEX } from "./indexes.ts";
import { TRACKING_FINALIZER } from "./pods.ts";

/** A pod to create. */
export interface NextPod {
  /** For Indexed Jobs: its index. */
  readonly index?: number;
  /** The failed pod of the same index whose failures it carries on. */
  readonly replaced?: Pod | undefined;
}

/** The next pod of a Job. */
export function podForJob(job: Job, { index, replaced }: NextPod): Pod {
  const pod = podFromTemplate(job, job.spec?.template);
  const tracked: Pod = {
    ...pod,
    metadata: { ...pod.metadata, finalizers: [...(pod.metadata?.finalizers ?? []), TRACKING_FINALIZER] },
  };
  if (index === undefined) return setController(tracked, job);
  const indexed = withIndex(`${job.metadata?.name}-${index}`, tracked, index);
  const annotations = { ...indexed.metadata?.annotations, ...failureCounts(job, replaced) };
  return setController({ ...indexed, metadata: { ...indexed.metadata, annotations } }, job);
}

function withIndex(name: string, pod: Pod, index: number): Pod {
  const mark = { [COMPLETION_INDEX]: String(index) };
  const { spec } = pod;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${name}-`,
      annotations: { ...pod.metadata?.annotations, ...mark },
      labels: { ...pod.metadata?.labels, ...mark },
    },
    spec: {
      ...spec,
      hostname: spec?.hostname ?? name,
      containers: (spec?.containers ?? []).map(withIndexVariable),
      ...(spec?.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withIndexVariable) }),
    },
  };
}

function withIndexVariable(container: Container): Container {
  const name = "JOB_COMPLETION_INDEX";
  if (container.env?.some((variable) => variable.name === name)) return container;
  const valueFrom = { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } };
  return { ...container, env: [...(container.env ?? []), { name, valueFrom }] };
}
