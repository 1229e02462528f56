/**
 * CRDs → served resources. Follows the stored CRDs and keeps the registry in step with them: in the same moment that a
 * CRD is stored its versions are served, and when it is gone they are not.
 */
import { formatGroupResource } from "@kubewright/core/meta";
import type { Crd, CrdVersion, StructuralSchema } from "@kubewright/core/schema";
import type { Registry } from "../registry/registry.ts";
import { type ApiObject, decodeObject, objectStart } from "../resource/object.ts";
import { type ServedResource, type ServedSubresource, VERBS_ALL } from "../resource/resource.ts";
import type { Storage, StoredEntry } from "../storage/storage.ts";
import { type ConversionParts, createConversion } from "./conversion-webhook.ts";
import { customResourceStrategy } from "./custom-resource-strategy.ts";
import { deprecationOf } from "./deprecation.ts";
import { createPlainConversion } from "./plain-conversion.ts";

/** How storage names the CRDs. */
export const CRD_RESOURCE = "customresourcedefinitions.apiextensions.k8s.io";

/** Where CRDs come from and their resources go, and how their objects are converted. */
export interface CustomResourceParts extends ConversionParts {
  readonly storage: Storage;
  readonly registry: Registry;
}

/** Serves the resources of all CRDs, now and later; returns what ends it. */
export function serveCustomResources({ storage, registry, ...parts }: CustomResourceParts): () => void {
  const served = new Map<string, readonly ServedResource[]>();
  const replace = (key: string, resources: readonly ServedResource[]): void => {
    for (const resource of served.get(key) ?? []) registry.remove(resource);
    for (const resource of resources) registry.add(resource);
    served.set(key, resources);
  };
  for (const entry of storage.list(CRD_RESOURCE, {})?.entries ?? []) replace(entry.key, servedVersions(entry, parts));
  const watch = storage.watch(CRD_RESOURCE, storage.revision, ({ type, entry }) => {
    replace(entry.key, type === "deleted" ? [] : servedVersions(entry, parts));
  });
  return () => watch?.cancel();
}

/** The resources that a stored CRD asks to serve; none before its names are accepted. */
function servedVersions({ text, revision }: StoredEntry, parts: ConversionParts): readonly ServedResource[] {
  const object = decodeObject(text);
  if (!isEstablished(object)) return [];
  const crd = object as unknown as Crd; // Validated when it was stored.
  const storageVersion = crd.spec.versions.find((version) => version.storage)?.name ?? "";
  const byWebhook = createConversion(crd, parts);
  const convert = byWebhook ?? createPlainConversion(crd);
  return crd.spec.versions
    .filter((version) => version.served)
    .map((version) => ({
      definition: definitionOf(crd, version),
      verbs: VERBS_ALL,
      subresources: subresourcesOf(version),
      textStart: objectStart(`${crd.spec.group}/${version.name}`, crd.spec.names.kind),
      storageName: formatGroupResource({ group: crd.spec.group, plural: crd.spec.names.plural }),
      storageApiVersion: `${crd.spec.group}/${storageVersion}`,
      custom: true,
      strategy: customResourceStrategy(version),
      schema: () => version.schema?.openAPIV3Schema ?? {},
      otherSchemas: schemasByApiVersion(crd),
      ...(convert !== undefined && { convert, convertsDefaults: byWebhook === undefined }),
      ...(version.additionalPrinterColumns !== undefined && { columns: version.additionalPrinterColumns }),
      ...deprecationOf(crd, version),
      schemaRevision: revision,
      terminating: object.metadata.deletionTimestamp !== undefined,
    }));
}

/** True once the names of a CRD are accepted. */
export function isEstablished(crd: ApiObject): boolean {
  const { conditions = [] } = (crd["status"] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}

/** None when a webhook converts: then only it knows what another version looks like. */
function schemasByApiVersion({ spec }: Crd): ReadonlyMap<string, StructuralSchema> {
  if (spec.conversion?.strategy === "Webhook") return new Map();
  const served = spec.versions.filter((version) => version.served);
  return new Map(served.map(({ name, schema }) => [`${spec.group}/${name}`, schema?.openAPIV3Schema ?? {}]));
}

function definitionOf({ spec }: Crd, { name, subresources }: CrdVersion): ServedResource["definition"] {
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames, categories } = spec.names;
  return {
    group: spec.group,
    version: name,
    kind,
    plural,
    singular,
    listKind,
    scope: spec.scope,
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    subresources: Object.keys(subresources ?? {}),
  };
}

function subresourcesOf({ subresources = {} }: CrdVersion): readonly ServedSubresource[] {
  const verbs = ["get", "patch", "update"] as const;
  const kind = { group: "autoscaling", version: "v1", kind: "Scale" };
  return [
    ...(subresources.status === undefined ? [] : [{ name: "status", verbs }]),
    ...(subresources.scale === undefined ? [] : [{ name: "scale", kind, verbs, scale: subresources.scale }]),
  ];
}
