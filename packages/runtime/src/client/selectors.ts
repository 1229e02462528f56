/** Selectors as options take them: written out, or as an object of required values. */
import { formatFieldSelector, formatLabelSelector, labelsToRequirements } from "@kubewright/core/meta";

/** "app=web,tier in (a,b)", or `{ app: "web" }`. */
export type SelectorInput = string | Readonly<Record<string, string>>;

/** A label selector as the query parameter holds it; undefined selects everything. */
export function labelSelectorText(selector: SelectorInput | undefined): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector;
  return formatLabelSelector(labelsToRequirements(selector));
}

/** A field selector as the query parameter holds it; undefined selects everything. */
export function fieldSelectorText(selector: SelectorInput | undefined): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector;
  const requirements = Object.entries(selector).map(([field, value]) => ({ field, operator: "=" as const, value }));
  return formatFieldSelector(requirements);
}
