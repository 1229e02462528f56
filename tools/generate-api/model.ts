/**
 * The types of the Kubernetes API, by module. Input: the OpenAPI names and schemas of kubernetes-source.ts. Output: for
 * every module ("apps/v1", "core/v1", "meta/v1") its types, with every reference resolved to a module and a name. Alpha
 * versions and list kinds are left out: the first are off everywhere, the second are `KubernetesList<Kind>`.
 */
import type { KubernetesSource, OpenApiSchema } from "./kubernetes-source.ts";

/** The name of a type and the module it stands in. */
export interface TypeName {
  /** "apps/v1", as in `kubewright/apps/v1`. */
  readonly module: string;
  readonly name: string;
}

/** One named type. */
export interface NamedType extends TypeName {
  readonly schema: OpenApiSchema;
  /** Set for kinds: types of whole objects. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** "networking" for "networking.k8s.io", "core" for "". */
export function shortGroup(group: string): string {
  return group === "" ? "core" : (group.split(".")[0] as string);
}

/** The modules with their types, both sorted by name. */
export function typesByModule(source: KubernetesSource): Map<string, NamedType[]> {
  const modules = new Map<string, NamedType[]>();
  for (const [openApiName, schema] of [...source.schemas].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const typeName = parseTypeName(openApiName);
    if (typeName === undefined || isLeftOut(typeName, schema)) continue;
    const gvks = schema["x-kubernetes-group-version-kind"] ?? [];
    const type = { ...typeName, schema, ...(gvks.length === 1 && gvks[0] !== undefined ? { kind: gvks[0] } : {}) };
    modules.set(typeName.module, [...(modules.get(typeName.module) ?? []), type]);
  }
  return modules;
}

/** Splits "io.k8s.api.apps.v1.Deployment"; undefined for what is no type of an API group (Quantity, version.Info …). */
export function parseTypeName(openApiName: string): TypeName | undefined {
  if (openApiName.endsWith(".intstr.IntOrString")) return { module: "meta/v1", name: "IntOrString" };
  const match = /\.([^.]+)\.(v\d\w*)\.(\w+)$/.exec(openApiName);
  return match === null ? undefined : { module: `${match[1]}/${match[2]}`, name: match[3] as string };
}

/** The name in a "#/components/schemas/…" reference. */
export function referencedName(schema: OpenApiSchema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice("#/components/schemas/".length);
}

function isLeftOut({ module, name }: TypeName, schema: OpenApiSchema): boolean {
  const isList = name.endsWith("List") && schema.properties?.["items"] !== undefined;
  return isList || module.includes("alpha");
}
