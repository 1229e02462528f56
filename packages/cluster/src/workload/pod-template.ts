/** A pod from a template, named after its owner. */
import type { Pod, PodTemplateSpec } from "@kubewright/api/core/v1";
import type { KubernetesObject } from "@kubewright/core/meta";

/** The pod that `owner` makes from `template`: a name with a random end, the template's labels and annotations. */
export function podFromTemplate(owner: KubernetesObject, template: PodTemplateSpec | undefined): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata?.name}-`,
      namespace: owner.metadata?.namespace ?? "",
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    ...(template?.spec === undefined ? {} : { spec: template.spec }),
  };
}
