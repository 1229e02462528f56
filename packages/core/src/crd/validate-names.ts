/** The names of a CRD's kind. Used by validate-crd.ts, and for the names accepted into a CRD's status. */
import { validateDns1035Label } from "../meta/names.ts";
import { type FieldError, fieldInvalid, fieldRequired } from "../protocol/field-error.ts";
import type { CrdNames } from "../schema/crd.ts";

/** Names that spec must have, though status need not. */
export function validateRequiredNames(names: Partial<CrdNames>): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => fieldRequired(`spec.names.${name}`));
}

/** Errors of a CRD's names; also for those accepted into its status. */
export function validateNames(names: Partial<CrdNames>, path: string): FieldError[] {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names;
  const label = (field: string, value: string) => check(`${path}.${field}`, value, value, "");
  const mixed = (field: string, value: string) =>
    check(`${path}.${field}`, value, value.toLowerCase(), "may have mixed case, but should otherwise match: ");
  return [
    ...(plural === "" ? [] : label("plural", plural)),
    ...(singular === "" ? [] : label("singular", singular)),
    ...(kind === "" ? [] : mixed("kind", kind)),
    ...(listKind === "" ? [] : mixed("listKind", listKind)),
    ...shortNames.flatMap((name, index) => label(`shortNames[${index}]`, name)),
    ...(kind !== "" && kind === listKind
      ? [fieldInvalid(`${path}.listKind`, listKind, "kind and listKind may not be the same")]
      : []),
    ...categories.flatMap((name, index) => label(`categories[${index}]`, name)),
  ];
}

function check(field: string, value: string, label: string, prefix: string): FieldError[] {
  const details = validateDns1035Label(label);
  return details.length === 0 ? [] : [fieldInvalid(field, value, `${prefix}${details.join(",")}`)];
}
