/** Which objects a list or watch is about: its label and field selectors, parsed once and applied to each object. */
import {
  type FieldRequirements,
  isMalformed,
  type LabelRequirements,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubewright/core/meta";
import { badRequest } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";
import type { ServedResource } from "../resource/resource.ts";

/** Decides which objects are meant. */
export interface Selection {
  /** True when every object is; then `matches` need not be asked. */
  readonly isEverything: boolean;
  /** The only name that can match, when there is one. */
  readonly name: string | undefined;
  matches(object: ApiObject): boolean;
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
  return {
    isEverything: labels.length === 0 && fields.length === 0,
    name,
    matches: (object) => matchesLabels(labels, object.metadata.labels) && matchesFieldsOf(resource, fields, object),
  };
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

function requireSelectable({ definition, strategy, custom }: ServedResource, field: string): void {
  if (field === "metadata.name") return;
  if (field === "metadata.namespace" && definition.scope === "Namespaced") return;
  if (Object.hasOwn(strategy.selectableFields ?? {}, field)) return;
  if (custom || definition.group !== "") {
    throw badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  throw badRequest(`field label not supported: ${field}`);
}
