/** Labels of nodes that have other names now, where pods still select by them. */
import type { NodeSelectorTerm, PodSpec } from "@kubewright/api/core/v1";
import { validateLabelValue } from "@kubewright/core/meta";
import { sortedEntries } from "../validation/fields.ts";

const OLD_LABELS: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Warnings about the selectors of a spec at `field`. */
export function nodeLabelWarnings(field: string, { nodeSelector, affinity }: PodSpec): readonly string[] {
  const { requiredDuringSchedulingIgnoredDuringExecution, preferredDuringSchedulingIgnoredDuringExecution } =
    affinity?.nodeAffinity ?? {};
  const terms = requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const at = `${field}.affinity.nodeAffinity`;
  return [
    ...sortedEntries(nodeSelector).flatMap(([name]) => {
      const why = OLD_LABELS.get(name);
      return why === undefined ? [] : [`${field}.nodeSelector[${name}]: ${why}`];
    }),
    ...terms.flatMap((term, index) =>
      termWarnings(`${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`, term),
    ),
    ...preferred.flatMap(({ preference }, index) => {
      const place = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
      return [...termWarnings(place, preference), ...valueWarnings(place, preference)];
    }),
  ];
}

/** The warning about one label, if it is an old one. */
export function oldNodeLabel(field: string, name: string | undefined): readonly string[] {
  const why = OLD_LABELS.get(name ?? "");
  return why === undefined ? [] : [`${field}: ${name} is ${why}`];
}

function termWarnings(field: string, term: NodeSelectorTerm | undefined): readonly string[] {
  return (term?.matchExpressions ?? []).flatMap(({ key }, index) =>
    oldNodeLabel(`${field}.matchExpressions[${index}].key`, key),
  );
}

function valueWarnings(field: string, term: NodeSelectorTerm | undefined): readonly string[] {
  return (term?.matchExpressions ?? []).flatMap(({ values }, index) =>
    (values ?? []).flatMap((value, place) =>
      validateLabelValue(value).map(
        (why) => `${field}.matchExpressions[${index}].values[${place}]: ${value} is invalid, ${why}`,
      ),
    ),
  );
}
