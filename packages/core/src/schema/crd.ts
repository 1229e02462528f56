/**
 * CustomResourceDefinitions from resource definitions. Input comes from `defineResource`; the output is plain JSON in a
 * fixed key order, ready to be applied or written as YAML.
 */
import { apiVersionOf } from "../meta/resource.ts";
import type { CustomResource, PrinterColumn, ScalePaths } from "./define-resource.ts";
import type { StructuralSchema } from "./structural.ts";

/** One version of a CRD. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: CrdSubresources;
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

/** The subresources of a version. */
export interface CrdSubresources {
  readonly status?: Readonly<Record<string, never>>;
  readonly scale?: CrdScale;
}

/** Where the scale subresource finds its numbers. */
export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The names of a kind. */
export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** How objects get from one version to another. */
export interface CrdConversion {
  readonly strategy: "None" | "Webhook";
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string;
    };
    readonly conversionReviewVersions: readonly string[];
  };
}

/** A CustomResourceDefinition, apiextensions.k8s.io/v1. */
export interface Crd {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: "Namespaced" | "Cluster";
    readonly versions: readonly CrdVersion[];
    readonly conversion?: CrdConversion;
  };
}

/** What concerns the CRD as a whole. */
export interface CrdOptions {
  /** How objects get from one version to another. @default { strategy: "None" } */
  readonly conversion?: CrdConversion;
}

/**
 * The CRD of a resource, or of several versions of one (in the order given).
 * The storage version is the one that says so, else the last.
 */
export function toCrd(resources: CustomResource | readonly CustomResource[], options: CrdOptions = {}): Crd {
  const versions: readonly CustomResource[] = "kind" in resources ? [resources] : resources;
  const newest = versions.at(-1);
  if (newest === undefined) throw new TypeError("a CRD needs at least one version; pass a resource definition");
  for (const version of versions) assertSameKind(version, newest);
  assertDistinct(versions);
  const storage = storageVersion(versions, newest);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${newest.plural}.${newest.group}`, ...mergedMetadata(versions) },
    spec: {
      group: newest.group,
      names: namesOf(newest),
      scope: newest.scope,
      ...(options.conversion === undefined ? {} : { conversion: options.conversion }),
      versions: versions.map((version) => versionOf(version, version === storage)),
    },
  };
}

function assertSameKind(version: CustomResource, newest: CustomResource): void {
  const same = (["group", "kind", "plural", "singular", "scope"] as const).find((key) => version[key] !== newest[key]);
  if (same === undefined) return;
  throw new TypeError(
    `cannot put ${version.kind} (${apiVersionOf(version)}) and ${newest.kind} (${apiVersionOf(newest)}) in one CRD: ` +
      `${same} differs (${JSON.stringify(version[same])} and ${JSON.stringify(newest[same])})`,
  );
}

function assertDistinct(versions: readonly CustomResource[]): void {
  const names = versions.map(({ version }) => version);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new TypeError(`cannot put version ${twice} twice in one CRD; pass each version once`);
}

function storageVersion(versions: readonly CustomResource[], newest: CustomResource): CustomResource {
  const marked = versions.filter(({ options }) => options.storage === true);
  if (marked.length > 1) {
    const names = marked.map(({ version }) => version).join(", ");
    throw new TypeError(`${newest.kind} (${newest.group}) has several storage versions (${names}); mark one`);
  }
  return marked[0] ?? newest;
}

function mergedMetadata(versions: readonly CustomResource[]): Omit<Crd["metadata"], "name"> {
  const labels = Object.assign({}, ...versions.map(({ options }) => options.labels));
  const annotations = Object.assign({}, ...versions.map(({ options }) => options.annotations));
  return {
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}

function namesOf(resource: CustomResource): CrdNames {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = resource;
  return {
    plural,
    singular,
    kind,
    listKind,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
}

function versionOf(resource: CustomResource, storage: boolean): CrdVersion {
  const { columns = [], selectableFields = [], deprecated = false, served = true } = resource.options;
  return {
    name: resource.version,
    served,
    storage,
    ...(deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === "string" ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: resource.schema },
    ...subresourcesOf(resource),
    ...(selectableFields.length > 0 ? { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) } : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
  };
}

function subresourcesOf(resource: CustomResource): Pick<CrdVersion, "subresources"> {
  const { scale } = resource.options;
  const hasStatus = resource.subresources?.includes("status") ?? false;
  if (!hasStatus && scale === undefined) return {};
  return {
    subresources: { ...(hasStatus ? { status: {} } : {}), ...(scale === undefined ? {} : { scale: scaleOf(scale) }) },
  };
}

function scaleOf(scale: ScalePaths): CrdScale {
  return {
    specReplicasPath: scale.specReplicas,
    statusReplicasPath: scale.statusReplicas,
    ...(scale.labelSelector === undefined ? {} : { labelSelectorPath: scale.labelSelector }),
  };
}
