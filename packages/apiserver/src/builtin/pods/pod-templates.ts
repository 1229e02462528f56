/** PodTemplates, which nothing runs. */
import type { PodTemplate } from "@kubewright/api/core/v1";
import type { KindParticulars } from "../kind-strategy.ts";
import { validatePodTemplate } from "../validation/pod-spec.ts";

/** What is particular to PodTemplates. */
export const podTemplateParticulars: KindParticulars = {
  generation: true,
  returnsDeleted: true,
  validate: (object) => validatePodTemplate("template", (object as unknown as PodTemplate).template ?? {}),
};
