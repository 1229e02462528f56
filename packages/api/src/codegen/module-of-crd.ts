/**
 * `@kubewright/api/codegen`: turns a CRD, from YAML or from a cluster, into the text of a TypeScript module with types
 * and a resource definition for each version, so that a controller can use kinds that somebody else defined. Pure; the
 * caller writes the file.
 *
 * Always holds: the text compiles whatever the CRD contains. Names become identifiers, everything else is quoted.
 */
import { malformed } from "@kubewright/core/meta";
import type { Crd, CrdVersion, StructuralSchema } from "@kubewright/core/schema";
import { printComment } from "./print-comment.ts";
import { printMembers, printType, type TypePrinter } from "./print-type.ts";

/** How the module is written. */
export interface CrdModuleOptions {
  /** Where the module imports `ObjectMeta` and `ResourceDefinition` from. @default "kubewright" */
  readonly importFrom?: string;
}

/**
 * The source text of a module for `crd`. The storage version goes by the name of the kind, every other served version
 * by kind and version: `Memcached`, `MemcachedV1alpha1`; beside each stand `MemcachedSpec` and `MemcachedStatus`.
 *
 * @example await writeFile("memcached.ts", moduleOfCrd(await client.get(CustomResourceDefinition, name)));
 */
export function moduleOfCrd(crd: Crd, options: CrdModuleOptions = {}): string {
  const versions = servedVersions(crd);
  const header = printComment(`Made from the CRD ${crd.metadata?.name}; make it again when the CRD changes.`);
  const imports = `import type * as kubewright from ${JSON.stringify(options.importFrom ?? "kubewright")};\n`;
  return `${header}${imports}\n${versions.map((version) => printVersion(crd, version)).join("\n")}`;
}

/** The storage version first. Throws `MalformedError` for what is no CRD or serves nothing. */
function servedVersions(crd: Crd): readonly CrdVersion[] {
  if (crd?.kind !== "CustomResourceDefinition" || !Array.isArray(crd.spec?.versions) || !crd.spec.names?.kind) {
    const found = JSON.stringify({ apiVersion: crd?.apiVersion, kind: crd?.kind });
    throw malformed(
      `expected a CustomResourceDefinition of apiextensions.k8s.io/v1 with names and versions, got ${found}`,
    );
  }
  const versions = crd.spec.versions.filter(({ served, storage }) => served || storage);
  if (versions.length === 0) throw malformed(`the CRD ${JSON.stringify(crd.metadata?.name)} serves no version`);
  return versions.toSorted((a, b) => Number(b.storage) - Number(a.storage));
}

function printVersion(crd: Crd, version: CrdVersion): string {
  const name = toIdentifier(crd.spec.names.kind) + (version.storage ? "" : toIdentifier(version.name));
  const schema = version.schema?.openAPIV3Schema ?? {};
  const parts = new Map(["spec", "status"].flatMap((part) => partOf(schema, part, name)));
  const printer: TypePrinter = { nameOf: (candidate) => parts.get(candidate) };
  const interfaces = [...parts].map(([part, partName]) => printInterface(partName, part));
  return [...interfaces, printKind(name, { crd, version, printer }), printDefinition(name, crd, version)].join("\n");
}

/** A part of the object that gets a name of its own, if it is an object with known fields. */
function partOf(schema: StructuralSchema, part: string, name: string): [StructuralSchema, string][] {
  const properties = schema.properties ?? {};
  const found = Object.hasOwn(properties, part) ? properties[part] : undefined;
  const isNamed = found !== undefined && Object.keys(found.properties ?? {}).length > 0 && !found.nullable;
  return isNamed ? [[found, name + toIdentifier(part)]] : [];
}

function printInterface(name: string, schema: StructuralSchema): string {
  const { description, ...rest } = schema;
  const type = printType({ ...rest, nullable: false });
  return `${printComment(description ?? `The fields of ${name}.`)}export interface ${name} ${type}\n`;
}

interface KindParts {
  readonly crd: Crd;
  readonly version: CrdVersion;
  readonly printer: TypePrinter;
}

function printKind(name: string, { crd, version, printer }: KindParts): string {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  const members = printMembers({ ...schema, properties }, printer);
  const open = schema["x-kubernetes-preserve-unknown-fields"] === true || schema.properties === undefined;
  return (
    `${printComment(schema.description ?? `${crd.spec.names.kind} of ${crd.spec.group}/${version.name}.`)}` +
    `export interface ${name} {\n` +
    `  readonly apiVersion?: ${JSON.stringify(`${crd.spec.group}/${version.name}`)};\n` +
    `  readonly kind?: ${JSON.stringify(crd.spec.names.kind)};\n` +
    `  readonly metadata?: kubewright.ObjectMeta;\n` +
    `${members}${open ? "  readonly [key: string]: unknown;\n" : ""}}\n`
  );
}

function printDefinition(name: string, { spec }: Crd, version: CrdVersion): string {
  const { names } = spec;
  const subresources = Object.keys(version.subresources ?? {}).sort();
  const definition = {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular || names.kind.toLowerCase(),
    ...(names.listKind && names.listKind !== `${names.kind}List` && { listKind: names.listKind }),
    scope: spec.scope === "Cluster" ? "Cluster" : "Namespaced",
    ...(names.shortNames?.length && { shortNames: names.shortNames }),
    ...(names.categories?.length && { categories: names.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
  const members = Object.entries(definition).map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`);
  const comment = printComment(`The resource definition of ${names.kind} of ${spec.group}/${version.name}.`);
  return `${comment}export const ${name}: kubewright.ResourceDefinition<${name}> = {\n${members.join("")}};\n`;
}

/** Capitalised words of letters and digits: never a reserved word, nor the name of the import. */
function toIdentifier(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : `Kind${joined}`;
}
