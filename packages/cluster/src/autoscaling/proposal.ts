/** What one metric of an autoscaler calls for: a number of replicas with the status to show, or why there is none. Pure. */
import type { MetricSpec, MetricStatus, MetricTarget } from "@kubewright/api/autoscaling/v2";
import type { Pod } from "@kubewright/api/core/v1";
import type { LabelSelector } from "@kubewright/core/meta";
import {
  amount,
  averageProposal,
  formatAmount,
  type ProposalInput,
  resourceProposal,
  totalProposal,
} from "./measure.ts";

/** What a metric calls for. */
export interface Proposal {
  readonly replicas: number;
  /** The metric, for messages. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** Why a metric calls for nothing. */
export interface Failure {
  readonly reason: string;
  readonly message: string;
  /** The message as events tell it. */
  readonly event: string;
}

/** What `metric` calls for. */
export function proposalFor(metric: MetricSpec, input: ProposalInput): Proposal | Failure {
  const kind = kinds[metric.type as keyof typeof kinds];
  if (kind === undefined) {
    const message = `unknown metric source type ${JSON.stringify(metric.type)}`;
    return { reason: "InvalidMetricSourceType", message, event: message };
  }
  try {
    return kind.propose(metric, input);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: kind.reason, message, event: `${kind.failed(metric)}: ${message}` };
  }
}

interface MetricKind {
  readonly reason: string;
  failed(metric: MetricSpec): string;
  propose(metric: MetricSpec, input: ProposalInput): Proposal;
}

const noTarget: MetricTarget = { type: "" };

const kinds: Readonly<Record<"Resource" | "ContainerResource" | "Pods" | "Object" | "External", MetricKind>> = {
  Resource: {
    reason: "FailedGetResourceMetric",
    failed: ({ resource }) => `failed to get ${resource?.name} resource metric value`,
    propose: ({ resource }, input) => {
      const { name = "", target = noTarget } = resource ?? {};
      const { replicas, label, current } = resourceProposal(name, target, input);
      return { replicas, name: `${name} resource${label}`, status: { type: "Resource", resource: { name, current } } };
    },
  },
  ContainerResource: {
    reason: "FailedGetContainerResourceMetric",
    failed: ({ containerResource }) => `failed to get ${containerResource?.name} container metric value`,
    propose: ({ containerResource }, input) => {
      const { name = "", container = "", target = noTarget } = containerResource ?? {};
      const { replicas, label, current } = resourceProposal(name, target, input, container);
      const status = { type: "ContainerResource", containerResource: { name, container, current } };
      return { replicas, name: `${name} container resource${label}`, status };
    },
  },
  Pods: {
    reason: "FailedGetPodsMetric",
    failed: () => "failed to get pods metric value",
    propose: ({ pods }, input) => {
      const metric = pods?.metric ?? { name: "" };
      const usageOf = (pod: Pod): number | undefined =>
        input.read({ type: "Pods", pod, metric: metric.name, ...selectorOf(metric) });
      const missing = `unable to get metric ${metric.name}: no metrics returned from custom metrics API`;
      const { replicas, average } = averageProposal(amount(pods?.target.averageValue), { ...input, usageOf, missing });
      const status = { type: "Pods", pods: { metric, current: { averageValue: formatAmount(average) } } };
      return { replicas, name: `pods metric ${metric.name}`, status };
    },
  },
  Object: {
    reason: "FailedGetObjectMetric",
    failed: () => "failed to get object metric value",
    propose: ({ object }, input) => {
      const metric = object?.metric ?? { name: "" };
      const describedObject = object?.describedObject ?? { kind: "", name: "" };
      const { namespace } = input;
      const query = { type: "Object", namespace, object: describedObject, metric: metric.name } as const;
      const usage = input.read({ ...query, ...selectorOf(metric) });
      if (usage === undefined) {
        const place = `${describedObject.kind} ${namespace}/${describedObject.name}`;
        throw new Error(`unable to get metric ${metric.name}: no metrics returned from custom metrics API on ${place}`);
      }
      const { replicas, current } = totalProposal(usage, object?.target ?? noTarget, input);
      const status = { type: "Object", object: { metric, describedObject, current } };
      return { replicas, name: `${describedObject.kind} metric ${metric.name}`, status };
    },
  },
  External: {
    reason: "FailedGetExternalMetric",
    failed: ({ external }) => `failed to get ${external?.metric.name} external metric value`,
    propose: ({ external }, input) => {
      const metric = external?.metric ?? { name: "" };
      const query = { type: "External", namespace: input.namespace, metric: metric.name } as const;
      const usage = input.read({ ...query, ...selectorOf(metric) });
      if (usage === undefined) {
        throw new Error(
          `unable to get external metric ${input.namespace}/${metric.name}: no metrics returned from external metrics API`,
        );
      }
      const { replicas, current } = totalProposal(usage, external?.target ?? noTarget, input);
      return {
        replicas,
        name: `external metric ${metric.name}`,
        status: { type: "External", external: { metric, current } },
      };
    },
  },
};

function selectorOf({ selector }: { readonly selector?: LabelSelector }): { readonly selector?: LabelSelector } {
  return selector === undefined ? {} : { selector };
}
