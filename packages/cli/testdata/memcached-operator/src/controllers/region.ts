/** Keeps a ConfigMap for each Region: an example of a child; replace it by what your operator is for. */
import { defineController } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Region } from "../api/v1/region.ts";

/** The controller of Region. */
export const regionController = defineController({
  for: Region,
  owns: [ConfigMap],
  children: (region) => [configMapFor(region)],
  status: (_, observed) => {
    const isThere = observed.list(ConfigMap).length > 0;
    return {
      conditions: [
        isThere
          ? { type: "Ready", status: "True", reason: "Applied", message: "everything is there" }
          : { type: "Ready", status: "False", reason: "Applying", message: "the ConfigMap is not there yet" },
      ],
    };
  },
});

/** The ConfigMap of one Region. */
function configMapFor(region: Region): ConfigMap {
  const { name = "" } = region.metadata;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default" },
    data: { foo: region.spec.foo },
  };
}
