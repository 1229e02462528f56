/** Which objects a list or watch is about: its label and field selectors, parsed once and applied to each object. */
import {
  type FieldRequirements,
  isMalformed,
  type LabelRequirement,
  type LabelRequirements,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";
import { type ApiObject, decodeObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";
import type { StoredEntry } from "../storage/storage.ts";

/** Decides which objects are meant. */
export interface Selection {
  /** True when every object is; then `matchesEntry` need not be asked. */
  readonly isEverything: boolean;
  /** True when fields of one version decide, and stored objects of another must be converted to be asked. */
  readonly isOfVersion: boolean;
  /** The only name that can match, when there is one. */
  readonly name: string | undefined;
  /** Whether a stored object is. It is decoded only when its labels, or else its text, do not tell already. */
  matchesEntry(entry: StoredEntry, decode?: (entry: StoredEntry) => ApiObject): boolean;
}

/** Reads `labelSelector` and `fieldSelector`. Throws a 400 for what cannot be read or selected by. */
export function parseSelection(
  query: { readonly labelSelector?: string; readonly fieldSelector?: string },
  resource: ServedResource,
): Selection {
  const labels = parse(parseLabelSelector, query.labelSelector ?? "");
  const fields = parse(parseFieldSelector, query.fieldSelector ?? "");
  for (const { field } of fields) requireSelectable(resource, field);
  const name = fields.find((field) => field.field === "metadata.name" && field.operator === "=")?.value;
  const needles = labels.flatMap(textsOfLabel);
  const mayMatch = ({ text }: StoredEntry): boolean =>
    needles.every((options) => options.some((part) => text.includes(part)));
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    isOfVersion: resource.convert !== undefined && fields.some(({ field }) => !field.startsWith("metadata.")),
    name,
    matchesEntry(entry, decode = decodeEntry) {
      if (entry.labels === undefined ? !mayMatch(entry) : !matchesLabels(labels, entry.labels)) return false;
      if (entry.labels !== undefined && fields.length === 0) return true;
      const object = decode(entry);
      return matchesLabels(labels, object.metadata.labels) && matchesFieldsOf(resource, fields, object);
    },
  };
}

function decodeEntry(entry: StoredEntry): ApiObject {
  return (entry.value?.object as ApiObject | undefined) ?? decodeObject(entry.text);
}

/** What the text of a matching object has in it, one of each list; nothing where a label must be absent or differ. */
function textsOfLabel({ key, operator, values }: LabelRequirement): readonly (readonly string[])[] {
  const start = `${JSON.stringify(key)}:`;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return [values.map((value) => start + JSON.stringify(value))];
    case "exists":
    case ">":
    case "<":
      return [[start]];
    default:
      return [];
  }
}

function parse<Requirements extends LabelRequirements | FieldRequirements>(
  read: (text: string) => Requirements,
  text: string,
): Requirements {
  try {
    return read(text);
  } catch (error) {
    throw isMalformed(error) ? badRequest(error.message) : error;
  }
}

function matchesFieldsOf(resource: ServedResource, fields: FieldRequirements, object: ApiObject): boolean {
  return fields.length === 0 || matchesFields(fields, (field) => fieldValue(resource, field, object));
}

function fieldValue(resource: ServedResource, field: string, object: ApiObject): string | undefined {
  if (field === "metadata.name") return object.metadata.name;
  if (field === "metadata.namespace") return object.metadata.namespace;
  return resource.strategy.selectableFields?.[field]?.(object);
}

/** Kinds with fields of their own refuse others in their own words; to all others Kubernetes lends a common refusal. */
function requireSelectable({ definition, strategy, custom }: ServedResource, field: string): void {
  const { selectableFields } = strategy;
  const hasOwnFields = custom || selectableFields !== undefined;
  if (field === "metadata.name" || Object.hasOwn(selectableFields ?? {}, field)) return;
  if (field === "metadata.namespace" && (definition.scope === "Namespaced" || !hasOwnFields)) return;
  const text = JSON.stringify(field);
  if (!hasOwnFields)
    throw badRequest(`${text} is not a known field selector: only "metadata.name", "metadata.namespace"`);
  throw badRequest(
    definition.kind === "Job" ? `field label ${text} not supported for Job` : `field label not supported: ${field}`,
  );
}
