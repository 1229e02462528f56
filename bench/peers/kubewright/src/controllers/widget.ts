/** Keeps a ConfigMap for each Widget. */
import { defineController } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Widget } from "../api/widget.ts";

/** The controller; 16 reconciles at once are what it has by itself. */
export const widgetController = defineController({
  for: Widget,
  owns: [ConfigMap],
  children: (widget) => [configMapFor(widget)],
  status: () => ({ ready: true }),
});

function configMapFor({ metadata: { name }, spec }: Widget): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels: { app: "bench" } },
    data: { message: spec.message, size: String(spec.size) },
  };
}
