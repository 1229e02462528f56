/**
 * `defineResource`: a custom resource as a value. Schemas come from zod (or anything that speaks Standard JSON Schema);
 * the types of stored objects and of objects being written are inferred here, once. Clients, caches and controllers take
 * the result as a ResourceDefinition; crd.ts makes the CRD of it. What Kubernetes cannot say is refused here.
 */
import type { KubernetesObject, ObjectMeta } from "../meta/object.ts";
import { apiVersionOf, type ResourceDefinition, type Scope } from "../meta/resource.ts";
import { fromJsonSchema } from "./from-json-schema.ts";
import { pluralOf } from "./plural.ts";
import { refuseProblems, type SchemaProblem } from "./schema-problem.ts";
import type { SchemaInput, SchemaOutput, SchemaSource } from "./schema-source.ts";
import type { StructuralSchema, ValidationRule } from "./structural.ts";
import { refuseZod } from "./zod/refuse-zod.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "integer" | "number" | "string" | "boolean" | "date";
  /** Where the value is: ".spec.size". */
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  /** Above 0 the column is shown only with `-o wide`. @default 0 */
  readonly priority?: number;
}

/** Where the scale subresource finds its numbers. */
export interface ScalePaths {
  /** Under ".spec". */
  readonly specReplicas: string;
  /** Under ".status". */
  readonly statusReplicas: string;
  /** A string under ".status" or ".spec", needed by HorizontalPodAutoscalers. */
  readonly labelSelector?: string;
}

/** What a resource definition may say beside its schemas. */
export interface ResourceOptions {
  /** Names the kind goes by in `kubectl get`. @default [] */
  readonly shortNames?: readonly string[];
  /** Groups of kinds it belongs to, such as "all". @default [] */
  readonly categories?: readonly string[];
  /** Lower-case plural, as in request paths. @default the English plural of the kind */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  /** @default kind + "List" */
  readonly listKind?: string;
  /** @default "Namespaced" */
  readonly scope?: Scope;
  /** What the kind is for, shown by `kubectl explain`. */
  readonly description?: string;
  /** CEL rules on the whole object. @default [] */
  readonly rules?: readonly ValidationRule[];
  /** @default [], which shows name and age */
  readonly columns?: readonly PrinterColumn[];
  readonly scale?: ScalePaths;
  /** Fields that `--field-selector` may use, as JSON paths. @default [] */
  readonly selectableFields?: readonly string[];
  /** Labels of the CRD itself. @default {} */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of the CRD itself. @default {} */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether objects are stored in this version; with one version it is. @default true for the last of several */
  readonly storage?: boolean;
  /** Whether the API server answers for this version. @default true */
  readonly served?: boolean;
  /** Marks the version as deprecated; a text replaces the usual warning. @default false */
  readonly deprecated?: boolean | string;
}

/** What `defineResource` takes. */
export interface ResourceSource<
  Group extends string,
  Version extends string,
  Kind extends string,
  Spec extends SchemaSource | undefined,
  Status extends SchemaSource | undefined,
> extends ResourceOptions {
  /** A domain of yours: "cache.example.com". */
  readonly group: Group;
  /** "v1alpha1", "v1beta1", "v1" … */
  readonly version: Version;
  readonly kind: Kind;
  /** The schema of what users want. */
  readonly spec?: Spec;
  /** The schema of what the operator reports; being there is what gives the kind a status subresource. */
  readonly status?: Status;
}

/** Metadata of a stored object, which always has a name. */
export interface StoredMeta extends ObjectMeta {
  readonly name: string;
}

/** A stored object of a custom kind. */
export interface CustomObject<ApiVersion extends string, Kind extends string> extends KubernetesObject {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata: StoredMeta;
}

/** A custom object being written. */
export interface CustomObjectInput<ApiVersion extends string, Kind extends string> extends KubernetesObject {
  readonly apiVersion?: ApiVersion;
  readonly kind?: Kind;
  readonly metadata?: ObjectMeta;
}

/** The spec of an object, where its kind has one. */
export type SpecPart<Spec> = [Spec] extends [undefined] ? unknown : { readonly spec: Spec };

/** The status of an object, where its kind has one. */
export type StatusPart<Status> = [Status] extends [undefined] ? unknown : { readonly status?: Status };

/** A stored object with its spec and status. */
export type ResourceObject<ApiVersion extends string, Kind extends string, Spec, Status> = CustomObject<
  ApiVersion,
  Kind
> &
  SpecPart<Spec> &
  StatusPart<Status>;

/** An object being written, with its spec and status. */
export type ResourceInput<ApiVersion extends string, Kind extends string, Spec, Status> = CustomObjectInput<
  ApiVersion,
  Kind
> &
  SpecPart<Spec> &
  StatusPart<Status>;

/** A custom resource: a definition for clients that also knows its schema, so that a CRD can be made of it. */
export interface CustomResource<Object extends KubernetesObject = KubernetesObject, Input = Object>
  extends ResourceDefinition<Object, Input> {
  readonly listKind: string;
  /** The schema of the whole object, as it stands in the CRD. */
  readonly schema: StructuralSchema;
  /** What was said beside the schemas. */
  readonly options: ResourceOptions;
}

/**
 * Defines a custom resource. Throws a TypeError that names each field whose schema Kubernetes cannot express.
 * @example
 * const Memcached = defineResource({
 *   group: "cache.example.com", version: "v1alpha1", kind: "Memcached",
 *   spec: z.object({ size: z.int32().min(0).default(1) }),
 * });
 * type Memcached = ObjectOf<typeof Memcached>;
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  Spec extends SchemaSource | undefined = undefined,
  Status extends SchemaSource | undefined = undefined,
>(
  source: ResourceSource<Group, Version, Kind, Spec, Status>,
): CustomResource<
  ResourceObject<`${Group}/${Version}`, Kind, TypeOf<Spec, "output">, TypeOf<Status, "output">>,
  ResourceInput<`${Group}/${Version}`, Kind, TypeOf<Spec, "input">, TypeOf<Status, "input">>
> {
  const { group, version, kind, spec, status, ...options } = source;
  const singular = options.singular ?? kind.toLowerCase();
  return {
    group,
    version,
    kind,
    plural: options.plural ?? pluralOf(kind.toLowerCase()),
    singular,
    listKind: options.listKind ?? `${kind}List`,
    scope: options.scope ?? "Namespaced",
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    subresources: [...(status === undefined ? [] : ["status"]), ...(options.scale === undefined ? [] : ["scale"])],
    schema: objectSchema(source),
    options,
  };
}

/** The type a schema gives to values, or undefined where there is no schema. */
export type TypeOf<Source, Side extends "input" | "output"> = [Source] extends [undefined]
  ? undefined
  : Side extends "input"
    ? SchemaInput<Source>
    : SchemaOutput<Source>;

type AnySource = ResourceSource<string, string, string, SchemaSource | undefined, SchemaSource | undefined>;

/** The schema of the whole object: type and metadata as all kinds have them, then spec and status. */
function objectSchema(source: AnySource): StructuralSchema {
  const problems: SchemaProblem[] = [];
  const spec = partSchema(source.spec, "spec", problems);
  const status = partSchema(source.status, "status", problems);
  refuseProblems(`${source.kind} (${apiVersionOf(source)})`, problems);
  const rules = (source.rules ?? []).map((rule) => ({ ...rule }));
  return {
    ...(source.description === undefined ? {} : { description: source.description }),
    type: "object",
    ...(spec === undefined ? {} : { required: ["spec"] }),
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...(spec === undefined ? {} : { spec }),
      ...(status === undefined ? {} : { status }),
    },
    ...(rules.length > 0 ? { "x-kubernetes-validations": rules } : {}),
  };
}

function partSchema(
  part: SchemaSource | undefined,
  path: string,
  problems: SchemaProblem[],
): StructuralSchema | undefined {
  if (part === undefined) return undefined;
  const before = problems.length;
  refuseZod(part, path, problems);
  // What was refused would make the library throw, without a path.
  if (problems.length > before) return undefined;
  const schema = fromJsonSchema(jsonSchemaOf(part, path), path, problems);
  if (problems.length === before && schema.type !== "object" && !schema["x-kubernetes-preserve-unknown-fields"]) {
    problems.push({ path, message: "must be an object; use z.object({…})" });
  }
  return schema;
}

function jsonSchemaOf(part: SchemaSource, path: string): Record<string, unknown> {
  const { jsonSchema }: Partial<SchemaSource["~standard"]> = part["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${path} does not speak Standard JSON Schema; with zod/mini pass z.toJSONSchema(schema), ` +
        "with other libraries their converter's result",
    );
  }
  return jsonSchema.input({ target: "openapi-3.0" });
}
