/**
 * Where the facts come from: the Go module of Kubernetes, as the Go tool downloads it. Gives the published OpenAPI v3
 * documents and discovery documents as values; model.ts reads them. Needs Go and a module proxy.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The release that everything is generated from. */
export const KUBERNETES_VERSION = "v1.36.3";

/** A schema of an OpenAPI v3 document, as far as Kubernetes uses the language. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly allOf?: readonly OpenApiSchema[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly enum?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly { group: string; version: string; kind: string }[];
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

/** One entry of an APIResourceList: a resource or a subresource. */
export interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** The resources of one group/version. */
export interface DiscoveredVersion {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

/** What the Kubernetes module says. */
export interface KubernetesSource {
  /** Where the module lies. */
  readonly directory: string;
  /** All component schemas, by name such as "io.k8s.api.apps.v1.Deployment". */
  readonly schemas: ReadonlyMap<string, OpenApiSchema>;
  /** All group versions, those that are off by default included, in the order of discovery. */
  readonly versions: readonly DiscoveredVersion[];
}

/** Cold, the module takes a minute or two to arrive. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Why the module cannot be read here; undefined if it can. */
export function whatIsMissing(): string | undefined {
  try {
    downloadModule(`k8s.io/kubernetes@${KUBERNETES_VERSION}`);
    return undefined;
  } catch (error) {
    return `the Go module of Kubernetes cannot be had (${String((error as Error).message).split("\n", 1)})`;
  }
}

/** Downloads the module (a no-op when it is there) and reads its documents. */
export function readKubernetesSource(): KubernetesSource {
  const directory = downloadModule(`k8s.io/kubernetes@${KUBERNETES_VERSION}`);
  return { directory, schemas: readSchemas(directory), versions: readDiscovery(directory) };
}

function downloadModule(module: string): string {
  const output = execFileSync("go", ["mod", "download", "-json", module], {
    encoding: "utf8",
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  return (JSON.parse(output) as { Dir: string }).Dir;
}

function readSchemas(directory: string): Map<string, OpenApiSchema> {
  const schemas = new Map<string, OpenApiSchema>();
  for (const file of globSync(join(directory, "api/openapi-spec/v3/*.json")).sort()) {
    const document = JSON.parse(readFileSync(file, "utf8"), withoutNoise) as OpenApiDocument;
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) schemas.set(name, schema);
  }
  return schemas;
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
}

/** Leaves out descriptions, which are not ours to copy, and defaults that only repeat Go's zero value of the type. */
function withoutNoise(key: string, value: unknown): unknown {
  if (key === "description" && typeof value === "string") return undefined;
  if (key !== "default") return value;
  const isZero = !value || (typeof value === "object" && Object.keys(value).length === 0);
  return isZero ? undefined : value;
}

function readDiscovery(directory: string): DiscoveredVersion[] {
  const folder = join(directory, "api/discovery");
  const aggregated = readJson<{ items: { metadata: { name: string }; versions: { version: string }[] }[] }>(
    join(folder, "aggregated_v2.json"),
  );
  const ordered = aggregated.items.flatMap((item) =>
    item.versions.map(({ version }) => ({ group: item.metadata.name, version })),
  );
  return [{ group: "", version: "v1" }, ...ordered].map(({ group, version }) => {
    const file = group === "" ? `api__${version}.json` : `apis__${group}__${version}.json`;
    return { group, version, ...readJson<{ resources: DiscoveredResource[] }>(join(folder, file)) };
  });
}

function readJson<Value>(file: string): Value {
  return JSON.parse(readFileSync(file, "utf8")) as Value;
}
