/** The ServiceAccount controller: every namespace has an account "default", which pods use unless they name another. */
import { Namespace, ServiceAccount } from "@kubewright/api/core/v1";
import { type Client, type Controller, defineController, watch } from "@kubewright/runtime";
import { isOpen, namespaceOf } from "../namespace/of-object.ts";
import { createUnlessThere } from "../workload/create-unless-there.ts";

const NAME = "default";

/** Keeps the default account of each namespace. */
export const defaultAccountController: Controller<Namespace> = defineController<Namespace>({
  name: "serviceaccount-controller",
  for: Namespace,
  watches: [watch(ServiceAccount, { map: namespaceOf, predicate: ({ type }) => type === "deleted" })],
  async reconcile(namespace, { client, cache }) {
    const place = { name: NAME, namespace: namespace.metadata?.name ?? "" };
    if (!isOpen(namespace) || cache.get(ServiceAccount, place) !== undefined) return;
    await createDefaultAccount(client, place.namespace);
  },
});

/** Makes the default account of a namespace: the controller's work, also for pods that come before it. */
export async function createDefaultAccount(client: Client, namespace: string): Promise<void> {
  await createUnlessThere(client, ServiceAccount, { metadata: { name: NAME, namespace } });
}
