/** Cells that several kinds have: labels, selectors, containers and lists that are cut. */
import {
  formatLabelSelector as formatRequirements,
  isMalformed,
  type LabelSelector,
  toLabelRequirements,
} from "@kubewright/core/meta";
import { type Field, listAt, objectAt, textAt, valueAt } from "./fields.ts";

/** Labels as "a=b,c=d" by key; "<none>" without any. */
export function formatLabels(value: Field, path: string): string {
  const labels = Object.entries(objectAt(value, path)).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return labels.length === 0 ? "<none>" : labels.map(([key, text]) => `${key}=${text}`).join(",");
}

/** A label selector as kubectl would take it; "<none>" for none and for one that selects everything. */
export function formatSelector(value: Field, path: string): string {
  return selectorText(value, path) || "<none>";
}

/** A label selector as text; "" when there is none, or it selects everything. */
export function selectorText(value: Field, path: string): string {
  try {
    const selector = valueAt(value, path) as LabelSelector | undefined;
    return selector === undefined ? "" : formatRequirements(toLabelRequirements(selector));
  } catch (error) {
    if (isMalformed(error)) return "<error>";
    throw error;
  }
}

/** The names and the images of containers, each joined by commas. */
export function containerCells(value: Field, path: string): readonly [names: string, images: string] {
  const containers = listAt(value, path);
  const join = (field: string): string => containers.map((container) => textAt(container, field)).join(",");
  return [join("name"), join("image")];
}

/** How many items of a list are shown. */
const ITEMS_SHOWN = 3;

/** The first items, and how many more there are. */
export function formatFirst(items: readonly string[], absent: string, shown: number = ITEMS_SHOWN): string {
  if (items.length === 0) return absent;
  const more = items.length > shown ? ` + ${items.length - shown} more...` : "";
  return `${items.slice(0, shown).join(",")}${more}`;
}

/** Addresses of a load balancer: IPs or host names, sorted, joined by commas. */
export function formatIngressPoints(value: Field, path: string): string {
  const points = listAt(value, path).map((point) => textAt(point, "ip") || textAt(point, "hostname"));
  return [...new Set(points.filter((point) => point !== ""))].sort().join(",");
}
