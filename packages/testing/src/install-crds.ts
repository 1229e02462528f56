/** Installs the custom resources of a test and waits until they are served: at once when embedded, soon elsewhere. */
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import { isNotFound } from "@kubewright/core/protocol";
import { type CustomResource, toCrd } from "@kubewright/core/schema";
import {
  type AnyController,
  type ApplyInput,
  type Client,
  customResourcesOf,
  hasCondition,
  waitFor,
} from "@kubewright/runtime";

/** The custom resources that the controllers are for or own, and the extra ones, each once. */
export function resourcesOf(options: {
  readonly controllers?: readonly AnyController[];
  readonly resources?: readonly CustomResource[];
}): readonly CustomResource[] {
  return [...new Set([...customResourcesOf(options.controllers ?? []), ...(options.resources ?? [])])];
}

/** Creates or updates the CRDs of `resources`; resolves when objects of them can be created. */
export async function installCrds(client: Client, resources: readonly CustomResource[]): Promise<void> {
  const byName = Map.groupBy(resources, ({ plural, group }) => `${plural}.${group}`);
  for (const [name, versions] of byName) {
    // A CRD in its own words is one in the API's: the types differ only in how closed their unions are.
    const crd = toCrd(versions) as unknown as ApplyInput<CustomResourceDefinition>;
    await client.apply(CustomResourceDefinition, crd, { fieldManager: "kubewright-testing", force: true });
    await waitFor(client, CustomResourceDefinition, name, { condition: hasCondition("Established") });
    for (const version of versions) await untilServed(client, version);
  }
}

/** Kubernetes says "Established" a moment before it serves the kind. */
async function untilServed(client: Client, resource: CustomResource): Promise<void> {
  for (;;) {
    try {
      await client.list(resource, { limit: 1 });
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
