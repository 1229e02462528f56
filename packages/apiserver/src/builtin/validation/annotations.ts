/** Annotations inside objects, such as those of pod templates; metadata itself is the registry's business. */
import { utf8Length, validateQualifiedName } from "@kubewright/core/meta";
import { type FieldError, fieldInvalid, fieldTooLong } from "@kubewright/core/protocol";
import { sortedEntries } from "./fields.ts";

const BYTES_MAX = 256 * 1024;

/** Keys are qualified names in any case; all of them together have a limit. */
export function validateAnnotations(
  field: string,
  annotations: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const entries = sortedEntries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  return [
    ...entries.flatMap(([key]) =>
      validateQualifiedName(key.toLowerCase()).map((text) => fieldInvalid(field, key, text)),
    ),
    ...(bytes > BYTES_MAX ? [fieldTooLong(field, BYTES_MAX)] : []),
  ];
}
