/** Nodes: kubelets create them with a status of their own. */
import type { Node, Taint } from "@kubewright/api/core/v1";
import { deepEqual, validateLabelValue } from "@kubewright/core/meta";
import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateCidr } from "./validation/addresses.ts";
import { asJson, validateQualified } from "./validation/fields.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What is particular to Nodes. */
export const nodeParticulars: KindParticulars = {
  keepsStatus: true,
  selectableFields: {
    "spec.unschedulable": (object) => String((object as unknown as Node).spec?.unschedulable ?? false),
  },
  validate: (object, current) => {
    const node = object as unknown as Node;
    const errors = [
      ...validateTaints(node.spec?.taints ?? []),
      ...(node.spec?.podCIDRs ?? []).flatMap((range, index) => validateCidr(`spec.podCIDRs[${index}]`, range)),
    ];
    if (current === undefined) return errors;
    // Kubernetes looks at taints twice when a node changes, and tells both times.
    const again = validateTaints(node.spec?.taints ?? []);
    return [...errors, ...again, ...validateChange(node, current as unknown as Node)];
  },
};

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = `spec.taints[${index}]`;
    const { key, value = "", effect } = taint;
    const identity = `${key}/${effect}`;
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return [
      ...validateQualified(`metadata.taints[${index}].key`, key),
      ...validateLabelValue(value).map((text) => fieldInvalid(`${at}.value`, value, text)),
      ...validateEffect(`metadata.taints[${index}].effect`, effect),
      ...(isRepeated ? [{ ...fieldDuplicate(at, asJson(taint)), message: duplicateTaint(taint) }] : []),
    ];
  });
}

function validateEffect(field: string, effect: string): FieldError[] {
  if (effect === "") return [fieldRequired(field)];
  return EFFECTS.includes(effect) ? [] : [fieldNotSupported(field, effect, EFFECTS)];
}

function duplicateTaint(taint: Taint): string {
  return `${fieldDuplicate("", asJson(taint)).message}: taints must be unique by key and effect pair`;
}

/** A node keeps its pod ranges and its provider's id once it has them. */
function validateChange(next: Node, current: Node): FieldError[] {
  const errors: FieldError[] = [];
  const ranges = current.spec?.podCIDRs ?? [];
  const range = next.spec?.podCIDR ?? "";
  const differs = range !== "" && range !== (next.spec?.podCIDRs ?? [])[0];
  if (ranges.length > 0 && differs) {
    errors.push(fieldForbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  } else if (ranges.length > 0 && !deepEqual(asJson(next.spec?.podCIDRs ?? []), asJson(ranges))) {
    errors.push(
      ranges.length === (next.spec?.podCIDRs ?? []).length
        ? fieldForbidden("spec.podCIDRs[0]", 'node updates may not change podCIDR except from "" to valid')
        : fieldForbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'),
    );
  }
  const provider = current.spec?.providerID ?? "";
  if (provider !== "" && next.spec?.providerID !== provider) {
    errors.push(fieldForbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}
