/** Puts custom resources and objects into a cluster by server-side apply: doing it twice changes nothing. */
import { CustomResourceDefinition } from "@kubewright/api/apiextensions/v1";
import {
  type JsonObject,
  type KubernetesObject,
  parseApiVersion,
  type ResourceDefinition,
} from "@kubewright/core/meta";
import { type CustomResource, toCrd } from "@kubewright/core/schema";
import { type ApplyInput, type Client, createDiscovery, hasCondition, waitFor } from "@kubewright/runtime";

/** Who the fields belong to that commands write. */
const FIELD_MANAGER = "kubewright";

/** Installs the CRDs of `resources` and waits until they are served. */
export async function installCrds(
  client: Client,
  resources: readonly CustomResource[],
  signal: AbortSignal,
): Promise<void> {
  const byName = Map.groupBy(resources, ({ plural, group }) => `${plural}.${group}`);
  for (const [name, versions] of byName) {
    // A CRD in its own words is one in the API's: the types differ only in how closed their unions are.
    const crd = toCrd(versions) as unknown as ApplyInput<CustomResourceDefinition>;
    await client.apply(CustomResourceDefinition, crd, { fieldManager: FIELD_MANAGER, force: true });
    await waitFor(client, CustomResourceDefinition, name, { condition: hasCondition("Established"), signal });
  }
}

/** Applies one object of any kind that the cluster serves; answers with the kind and what was stored. */
export async function applyObject(
  client: Client,
  object: JsonObject,
): Promise<{ readonly definition: ResourceDefinition<KubernetesObject, unknown>; readonly object: KubernetesObject }> {
  const { apiVersion, kind, metadata } = object as KubernetesObject;
  if (apiVersion === undefined || kind === undefined || metadata?.name === undefined) {
    throw new Error(
      `an object to apply needs apiVersion, kind and metadata.name: ${JSON.stringify(object).slice(0, 200)}`,
    );
  }
  const definition = await createDiscovery(client).find({ ...parseApiVersion(apiVersion), kind });
  if (definition === undefined) {
    throw new Error(`the cluster has no ${kind} in ${apiVersion}; install its CRD first`);
  }
  const input = { ...object, metadata: { ...metadata, name: metadata.name } };
  return { definition, object: await client.apply(definition, input, { fieldManager: FIELD_MANAGER, force: true }) };
}
