/** The controller of claims that pods bring along: each is made from the pod's template, belongs to the pod and goes with it. */
import { PersistentVolumeClaim, Pod } from "@kubewright/api/core/v1";
import { setController } from "@kubewright/core/meta";
import { type Controller, defineController, watch } from "@kubewright/runtime";
import { createUnlessThere } from "../workload/create-unless-there.ts";
import { ephemeralClaims, whyNotFor } from "./consumers.ts";

/** Makes the claims of pods that bring some along. */
export const ephemeralVolumes: Controller<Pod> = defineController<Pod>({
  name: "ephemeral-volume-controller",
  for: Pod,
  predicate: ({ type, object }) => type === "added" && ephemeralClaims(object).length > 0,
  watches: [
    watch(PersistentVolumeClaim, {
      predicate: ({ type }) => type === "deleted",
      map: ({ metadata }) =>
        (metadata?.ownerReferences ?? [])
          .filter(({ kind }) => kind === "Pod")
          .map(({ name }) => ({ name, namespace: metadata?.namespace })),
    }),
  ],
  async reconcile(pod, { client, cache, events }) {
    const { namespace = "" } = pod.metadata ?? {};
    for (const { name, volume, template } of ephemeralClaims(pod)) {
      const claim = cache.get(PersistentVolumeClaim, { name, namespace });
      const problem = claim && whyNotFor(pod, claim);
      if (problem !== undefined) {
        events.warning("FailedBinding", `ephemeral volume ${volume}: ${problem}`);
        throw new Error(`cannot use ${volume} in pod ${pod.metadata?.name}: ${problem}; delete the claim`);
      }
      if (claim !== undefined) continue;
      const { labels, annotations } = template?.metadata ?? {};
      const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
      const wanted: PersistentVolumeClaim = { metadata, spec: template?.spec ?? {} };
      await createUnlessThere(client, PersistentVolumeClaim, setController(wanted, pod));
    }
  },
});
