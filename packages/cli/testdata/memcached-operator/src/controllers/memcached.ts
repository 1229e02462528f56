/** Keeps a ConfigMap for each Memcached: an example of a child; replace it by what your operator is for. */
import { defineController } from "kubewright";
import { ConfigMap } from "kubewright/core/v1";
import { Memcached } from "../api/v1alpha1/memcached.ts";

/** The controller of Memcached. */
export const memcachedController = defineController({
  for: Memcached,
  owns: [ConfigMap],
  children: (memcached) => [configMapFor(memcached)],
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

/** The ConfigMap of one Memcached. */
function configMapFor(memcached: Memcached): ConfigMap {
  const { name = "" } = memcached.metadata;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: { foo: memcached.spec.foo },
  };
}
