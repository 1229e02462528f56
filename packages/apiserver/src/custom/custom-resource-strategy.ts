/**
 * The strategy of custom resources, made from one version of their CRD: unknown fields are pruned, defaults filled in,
 * values and rules checked by the version's schema. custom-resources.ts makes one per served version. The engine behind
 * it is loaded with the first request that needs it.
 */
import { getKey, isJsonArray, isJsonObject, type Json } from "@kubewright/core/meta";
import { goFormat } from "@kubewright/core/patch";
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";
import type { CrdVersion, StructuralSchema } from "@kubewright/core/schema";
import { type ApiObject, withFields } from "../resource/object.ts";
import type { Strategy, StrategyContext } from "../resource/strategy.ts";
import { loadEngine, loadedEngine } from "./engine.ts";

/** Finalizers of Kubernetes itself, which need no domain. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["foregroundDeletion", "kubernetes", "orphan"]);

/** The strategy of one version. */
export function customResourceStrategy(version: CrdVersion): Strategy {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const hasStatus = version.subresources?.status !== undefined;
  return {
    load: loadEngine,
    unconditionalUpdate: false,
    generation: true,
    selectableFields: selectableFields(version),
    applyDefaults: (object) => settle(object, schema),
    prepareForCreate: (object) => (hasStatus ? withFields(object, { status: undefined }) : object),
    validate: (object, current, context) => {
      const errors = validateObject(schema, { object, current }, context);
      const unchecked = errors.filter(({ field }) => field === "<nil>"); // Said last: rules that were not looked at.
      const others = errors.filter(({ field }) => field !== "<nil>");
      return [...others, ...validateScale(version, object, context), ...unchecked];
    },
    warnings: ({ metadata: { finalizers = [] } }, current) => {
      const known = new Set(current?.metadata.finalizers ?? []);
      return finalizers
        .filter((name) => !name.includes("/") && !STANDARD_FINALIZERS.has(name) && !known.has(name))
        .map(unqualified);
    },
  };
}

/** The object without what a schema does not know, and with its defaults. The engine must be loaded. */
export function settle(object: ApiObject, schema: StructuralSchema): ApiObject {
  const { applyDefaults, dropNulls, prune } = loadedEngine();
  const { value } = prune(object, schema);
  return applyDefaults(dropNulls(value, schema), schema);
}

function validateObject(
  schema: StructuralSchema,
  { object, current }: { readonly object: ApiObject; readonly current: ApiObject | undefined },
  context: StrategyContext,
): readonly FieldError[] {
  const options = current === undefined ? {} : { old: current };
  const { errors, warnings } = loadedEngine().validateObject(object, schema, options);
  for (const text of warnings) context.warn(text);
  return errors;
}

const REPLICAS_MAX = 2_147_483_647;

/** What the scale subresource shows must be a count. */
function validateScale({ subresources }: CrdVersion, object: ApiObject, context: StrategyContext): FieldError[] {
  const { specReplicasPath = "", statusReplicasPath = "" } = subresources?.scale ?? {};
  const path = context.subresource === "status" ? statusReplicasPath : specReplicasPath;
  const names = path.split(".").filter((name) => name !== "");
  const value = names.length === 0 ? undefined : valueAt(object, names);
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value)) {
    const why = `.${names.join(".")} accessor error: ${goFormat(value)} is of the type ${goTypeOf(value)}, expected int64`;
    return [fieldInvalid(path, 0, why)];
  }
  if (value < 0) return [fieldInvalid(path, value, "should be a non-negative integer")];
  const detail = `should be less than or equal to ${REPLICAS_MAX}`;
  return value > REPLICAS_MAX ? [fieldInvalid(path, value, detail)] : [];
}

function goTypeOf(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "float64";
}

function unqualified(finalizer: string): string {
  const path = finalizer.includes(".") ? " including a path (/)" : "";
  return (
    `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${path} ` +
    "to avoid accidental conflicts with other finalizer writers"
  );
}

function selectableFields({
  selectableFields: fields = [],
}: CrdVersion): Record<string, (object: ApiObject) => string> {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const names = jsonPath.split(".").filter((name) => name !== "");
      return [names.join("."), (object: ApiObject) => formatField(valueAt(object, names))];
    }),
  );
}

function valueAt(value: Json | undefined, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return value;
  return isJsonObject(value) ? valueAt(getKey(value, name), rest) : undefined;
}

function formatField(value: Json | undefined): string {
  return value === undefined || value === null || isJsonObject(value) || isJsonArray(value) ? "" : String(value);
}
