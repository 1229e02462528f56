/** Keywords that go over from JSON Schema as they are: documentation, and Kubernetes' own. Used by from-json-schema.ts. */
import type { Json } from "../meta/json.ts";
import { isVisibleToCel, UNSEEN } from "./cel-name.ts";
import { type Conversion, type JsonSchema, pick, refuse } from "./conversion.ts";
import { joinPath } from "./schema-problem.ts";
import type { StructuralSchema } from "./structural.ts";

/** Keywords that say nothing about validity. */
export function annotations(json: JsonSchema): StructuralSchema {
  const { examples } = json;
  return {
    ...pick(json, ["title", "description", "default", "nullable", "example", "externalDocs"]),
    ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] as Json } : {}),
  };
}

const EXTENSIONS = [
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
] as const;

/** Kubernetes' keywords; one that CRDs do not know is a problem. */
export function kubernetesKeywords(json: JsonSchema, path: string, conversion: Conversion): StructuralSchema {
  for (const key of Object.keys(json)) {
    const known = EXTENSIONS.some((extension) => extension === key);
    if (key.startsWith("x-kubernetes-") && !known) refuse(path, `${key} is not a keyword of CRD schemas`, conversion);
  }
  return pick(json, EXTENSIONS);
}

/** Fields that rules of ours speak of must be there, and be such that CEL can see them. */
export function checkRuleFields(
  names: unknown,
  schema: StructuralSchema,
  place: { readonly path: string; readonly conversion: Conversion },
): void {
  for (const name of Array.isArray(names) ? (names as readonly string[]) : []) {
    const property = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (property === undefined)
      refuse(place.path, `a rule speaks of ${name}, but there is no such field`, place.conversion);
    else if (!isVisibleToCel(property)) refuse(joinPath(place.path, name), UNSEEN, place.conversion);
  }
}

/** Rules of a union's variants stand before those of the union itself. */
export function joinRules(inner: StructuralSchema, outer: StructuralSchema): StructuralSchema {
  const rules = [...(inner["x-kubernetes-validations"] ?? []), ...(outer["x-kubernetes-validations"] ?? [])];
  return rules.length === 0 ? {} : { "x-kubernetes-validations": rules };
}
