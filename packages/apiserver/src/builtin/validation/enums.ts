/** Values of enumerations, checked by the kind's schema: everywhere but in metadata and status. */
import { getKey, isJsonArray, isJsonObject, type Json, parseApiVersion } from "@kubewright/core/meta";
import { type FieldError, fieldNotSupported } from "@kubewright/core/protocol";
import type { StructuralSchema } from "@kubewright/core/schema";
import type { ApiObject } from "../../resource/object.ts";
import { kindTables } from "../kind-tables.ts";

/** Kubernetes names the values of some fields in an order of their own. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  reclaimPolicy: ["Delete", "Retain"],
  completionMode: ["NonIndexed", "Indexed"],
  dnsPolicy: ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"],
  policyTypes: ["Ingress", "Egress"],
  preemptionPolicy: ["PreemptLowerPriority", "Never"],
  restartPolicy: ["Always", "OnFailure", "Never"],
  terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
};

/** Fields that Kubernetes names as a whole, whichever item is wrong. */
const WHOLE_LISTS = new Set(["accessModes"]);
const IN_WHOLE_LIST = /volumeMounts\[\d+\](?=\.mountPropagation$)/;

/** Structs that are refused as a whole by the rules of their kind. */
const OTHERWISE_CHECKED =
  /^(?:spec\.strategy\.type|spec\.updateStrategy\.type|spec\.podManagementPolicy|spec\.taints\[\d+\]\.effect|spec\.scopes\[\d+\]|spec\.scopeSelector\..*|spec\.externalTrafficPolicy|spec\.(?:in|e)gress\[\d+\]\.ports\[\d+\]\.protocol|preemptionPolicy|.*\.tolerations\[\d+\]\.effect)$/;

const NO_PROPERTIES: Properties = {};

/**
 * What is wrong with the enumerated values of an object. Absent and empty values are not its business, nor are parts that
 * are those of the `current` object, or of one before it.
 */
export function validateEnums(object: ApiObject, current?: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, schema] of enumeratedParts(object)) {
    const value = object[name];
    collect(value, schema, { field: name, errors, known: current?.[name] ?? latestRight.get(schema) });
    if (errors.length === 0 && current === undefined) latestRight.set(schema, value);
  }
  return errors;
}

/** The part of the last new object that was right: what is made of one template has parts in common. */
const latestRight = new WeakMap<StructuralSchema, Json | undefined>();

type Properties = Readonly<Record<string, StructuralSchema>>;
type Parts = readonly (readonly [name: string, schema: StructuralSchema])[];

/** By apiVersion, then by kind. */
const partsOfKinds = new Map<string, Map<string, Parts>>();

/** The parts of a built-in kind that may have enumerated values; found once, because all that most kinds have is free text. */
function enumeratedParts({ apiVersion, kind }: ApiObject): Parts {
  const kinds = partsOfKinds.get(apiVersion) ?? new Map<string, Parts>();
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const { group, version } = parseApiVersion(apiVersion);
  const { properties = NO_PROPERTIES } = kindTables().schemaOf(group, version, kind) ?? {};
  const parts = Object.entries(properties).filter(
    ([name, schema]) => name !== "metadata" && name !== "status" && mayEnumerate(schema),
  );
  partsOfKinds.set(apiVersion, kinds.set(kind, parts));
  return parts;
}

const enumerating = new WeakMap<StructuralSchema, boolean>();

/** Whether there is an enumeration anywhere in a schema; found once. */
function mayEnumerate(schema: StructuralSchema): boolean {
  const known = enumerating.get(schema);
  if (known !== undefined) return known;
  const { enum: supported, properties = NO_PROPERTIES, items, additionalProperties: values } = schema;
  enumerating.set(schema, supported !== undefined); // Stands for schemas that contain themselves.
  const may =
    supported !== undefined ||
    (items !== undefined && mayEnumerate(items)) ||
    (typeof values === "object" && mayEnumerate(values)) ||
    Object.values(properties).some(mayEnumerate);
  enumerating.set(schema, may);
  return may;
}

interface Place {
  readonly field: string;
  readonly errors: FieldError[];
  /** What stands there in an object whose values are right. */
  readonly known: Json | undefined;
}

function collect(value: Json | undefined, schema: StructuralSchema, { field, errors, known }: Place): void {
  if (value === known) return;
  if (typeof value === "string") {
    const { enum: supported } = schema;
    if (value === "" || supported === undefined || supported.includes(value) || OTHERWISE_CHECKED.test(field)) return;
    const name = /([A-Za-z]+)(?:\[\d+\])?$/.exec(field)?.[1] ?? "";
    const place = WHOLE_LISTS.has(name) ? field.replace(/\[\d+\]$/, "") : field.replace(IN_WHOLE_LIST, "volumeMounts");
    errors.push(fieldNotSupported(place, value, ORDERS[name] ?? supported));
  } else if (isJsonArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    const knownItems = isJsonArray(known) ? known : [];
    for (let index = 0; index < value.length; index++) {
      collect(value[index], items, { field: `${field}[${index}]`, errors, known: knownItems[index] });
    }
  } else if (isJsonObject(value)) {
    const { properties = NO_PROPERTIES, additionalProperties: values } = schema;
    const knownFields = isJsonObject(known) ? known : {};
    for (const name in value) {
      const item = value[name];
      const knownItem = getKey(knownFields, name);
      if (item === knownItem) continue;
      const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const rule = part ?? (typeof values === "object" ? values : undefined);
      // Paths are spelled only on the way to something that can be wrong.
      if (rule === undefined || (rule.enum === undefined && (typeof item !== "object" || !mayEnumerate(rule))))
        continue;
      const place = part === undefined ? `${field}[${name}]` : `${field}.${name}`;
      collect(item, rule, { field: place, errors, known: knownItem });
    }
  }
}
