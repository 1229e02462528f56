/**
 * Prints one module of `@kubewright/api`: the wire types of a group/version and its resource definitions. Modules import
 * one another's types only, so loading one evaluates nothing but its own few definitions.
 */
import type { StructuralSchema } from "@kubewright/core/schema";
import { printMembers, type TypePrinter } from "../../packages/api/src/codegen/print-type.ts";
import type { DiscoveredResource, DiscoveredVersion, OpenApiSchema } from "./kubernetes-source.ts";
import { type NamedType, parseTypeName, referencedName, type TypeName } from "./model.ts";
import { HEADER } from "./output.ts";

const REFERENCE = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#";

/** What webhooks get is not in the reference of served kinds. */
const WEBHOOK_PAGES: readonly (readonly [prefix: string, page: string])[] = [
  ["admission/v1.", "https://kubernetes.io/docs/reference/config-api/apiserver-admission.v1/"],
  [
    "apiextensions/v1.Conversion",
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
  ],
];

/** Types of meta/v1 that `@kubewright/core/meta` defines, because core itself works with them. */
const CORE_META = new Set([
  "Condition",
  "IntOrString",
  "LabelSelector",
  "LabelSelectorRequirement",
  "ListMeta",
  "ManagedFieldsEntry",
  "ObjectMeta",
  "OwnerReference",
]);

/** Types whose JSON differs from the Go struct, as TypeScript sees them. */
const SPECIAL_TYPES: ReadonlyMap<string, string> = new Map([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", "string"],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", "object"],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "string"],
  ["io.k8s.apimachinery.pkg.apis.meta.v1.Time", "string"],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", "{ readonly [key: string]: unknown }"],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", "unknown"],
  [
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray",
    "JSONSchemaProps | readonly JSONSchemaProps[]",
  ],
  ["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool", "JSONSchemaProps | boolean"],
  [
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray",
    "JSONSchemaProps | readonly string[]",
  ],
]);

/** What a module is printed from. */
export interface ModuleSource {
  readonly module: string;
  readonly types: readonly NamedType[];
  /** Absent for meta/v1, which has types only. */
  readonly discovered: DiscoveredVersion | undefined;
}

/** The source text of the module. */
export function emitModule(source: ModuleSource): string {
  const imports = new Imports(source.module);
  const body = source.types
    .filter((type) => !isSpecial(type))
    .map((type) => emitType(type, source.discovered, imports) + emitDefinition(type, source.discovered, imports))
    .join("\n");
  return `${HEADER}${imports.print()}\n${body}`;
}

/** The names that `emitModule` exports, and whether they are values as well as types. */
export function exportedNames(source: ModuleSource): { readonly name: string; readonly isValue: boolean }[] {
  return source.types
    .filter((type) => !isSpecial(type))
    .map((type) => ({ name: type.name, isValue: resourceOf(type, source.discovered) !== undefined }));
}

function isSpecial(type: NamedType): boolean {
  if (type.module === "meta/v1") return CORE_META.has(type.name) || type.schema.properties === undefined;
  return type.schema.type === undefined;
}

function emitType(type: NamedType, discovered: DiscoveredVersion | undefined, imports: Imports): string {
  const printer: TypePrinter = { nameOf: (schema) => imports.nameOf(schema as OpenApiSchema) };
  const schema = withLiterals(type);
  return `${documentation(type, discovered)}export interface ${type.name} {\n${printMembers(schema, printer)}}\n`;
}

/** Kinds have one apiVersion and one kind; printed as literals they tell kinds apart. */
function withLiterals({ schema, kind }: NamedType): StructuralSchema {
  const structural = schema as StructuralSchema;
  if (kind === undefined) return structural;
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  const literals = {
    apiVersion: { type: "string", enum: [apiVersion] },
    kind: { type: "string", enum: [kind.kind] },
  } as const;
  const { apiVersion: _apiVersion, kind: _kind, ...properties } = structural.properties ?? {};
  return { ...structural, properties: { ...literals, ...properties } };
}

function documentation({ module, name }: NamedType, discovered: DiscoveredVersion | undefined): string {
  const [moduleGroup = "", version = ""] = module.split("/");
  const group = discovered?.group || moduleGroup;
  const page = WEBHOOK_PAGES.find(([prefix]) => `${module}.${name}`.startsWith(prefix))?.[1];
  const link = page ?? `${REFERENCE}${`${name}-${version}-${group.replaceAll(".", "-")}`.toLowerCase()}`;
  return `/** [${name}](${link}) */\n`;
}

function emitDefinition(type: NamedType, discovered: DiscoveredVersion | undefined, imports: Imports): string {
  const resource = resourceOf(type, discovered);
  if (resource === undefined || discovered === undefined) return "";
  imports.use("@kubewright/core/meta", "ResourceDefinition");
  const prefix = `${resource.name}/`;
  const subresources = discovered.resources.filter(({ name }) => name.startsWith(prefix));
  const definition = {
    group: discovered.group,
    version: discovered.version,
    kind: resource.kind,
    plural: resource.name,
    singular: resource.singularName,
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    ...optionalList("shortNames", resource.shortNames ?? []),
    ...optionalList("categories", resource.categories ?? []),
    ...optionalList(
      "subresources",
      subresources.map(({ name }) => name.slice(prefix.length)),
    ),
  };
  const members = Object.entries(definition).map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`);
  return `${documentation(type, discovered)}export const ${type.name}: ResourceDefinition<${type.name}> = {\n${members.join("")}};\n`;
}

function optionalList(key: string, values: readonly string[]): Record<string, readonly string[]> {
  return values.length === 0 ? {} : { [key]: values };
}

function resourceOf(type: NamedType, discovered: DiscoveredVersion | undefined): DiscoveredResource | undefined {
  return discovered?.resources.find(({ name, kind }) => !name.includes("/") && kind === type.kind?.kind);
}

/** The imports that the printed types turned out to need. */
class Imports {
  readonly #module: string;
  readonly #names = new Map<string, Set<string>>();

  constructor(module: string) {
    this.#module = module;
  }

  /** The type name to print for a schema, if it is a reference. */
  nameOf(schema: OpenApiSchema): string | undefined {
    const openApiName = referencedName(schema);
    if (openApiName === undefined) return undefined;
    const special = SPECIAL_TYPES.get(openApiName);
    if (special !== undefined) return special;
    const typeName = parseTypeName(openApiName);
    if (typeName === undefined) throw new Error(`no type is known for ${openApiName}; add it to SPECIAL_TYPES`);
    return this.#reference(typeName);
  }

  use(from: string, name: string): void {
    this.#names.set(from, (this.#names.get(from) ?? new Set()).add(name));
  }

  #reference({ module, name }: TypeName): string {
    if (module === "meta/v1" && CORE_META.has(name)) this.use("@kubewright/core/meta", name);
    else if (module !== this.#module) this.use(`../${module}.ts`, name);
    return name;
  }

  print(): string {
    return [...this.#names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import type { ${[...names].sort().join(", ")} } from ${JSON.stringify(from)};\n`)
      .join("");
  }
}
