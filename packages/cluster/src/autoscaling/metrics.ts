/**
 * Where the autoscaler gets its measurements. A cluster of real machines has a metrics server; an embedded one has a function
 * that its user writes.
 */

import type { CrossVersionObjectReference } from "@kubewright/api/autoscaling/v2";
import type { Pod } from "@kubewright/api/core/v1";
import type { LabelSelector } from "@kubewright/core/meta";

/** One measurement that is asked for. */
export type MetricQuery =
  /** What a pod, or one container of it, uses now: cores of "cpu", bytes of "memory". */
  | { readonly type: "Resource"; readonly pod: Pod; readonly resource: string; readonly container?: string }
  /** A number that a pod tells. */
  | { readonly type: "Pods"; readonly pod: Pod; readonly metric: string; readonly selector?: LabelSelector }
  /** A number about another object of the namespace. */
  | {
      readonly type: "Object";
      readonly namespace: string;
      readonly object: CrossVersionObjectReference;
      readonly metric: string;
      readonly selector?: LabelSelector;
    }
  /** A number from outside of the cluster. */
  | {
      readonly type: "External";
      readonly namespace: string;
      readonly metric: string;
      readonly selector?: LabelSelector;
    };

/** Answers with the measurement, or undefined when there is none. */
export type ReadMetric = (query: MetricQuery) => number | undefined;
