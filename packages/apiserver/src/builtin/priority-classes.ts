/** PriorityClasses: two belong to the system, and of the others one at most is the default. */
import type { PriorityClass } from "@kubewright/api/scheduling/v1";
import { type FieldError, fieldForbidden, fieldNotSupported } from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateImmutable } from "./validation/fields.ts";

const PREEMPTION_POLICIES: readonly string[] = ["PreemptLowerPriority", "Never"];
const USER_VALUE_MAX = 1_000_000_000;

/** The classes of the system, by name. */
export const SYSTEM_PRIORITIES: ReadonlyMap<string, { readonly value: number; readonly description: string }> = new Map(
  [
    [
      "system-cluster-critical",
      {
        value: 2_000_000_000,
        description:
          "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
      },
    ],
    [
      "system-node-critical",
      {
        value: 2_000_001_000,
        description: "Used for system critical pods that must not be moved from their current node.",
      },
    ],
  ],
);

/** What is particular to PriorityClasses. */
export const priorityClassParticulars: KindParticulars = {
  generation: true,
  changesGeneration: () => false,
  validate: (object, current) => {
    const next = object as unknown as PriorityClass;
    const policy = next.preemptionPolicy ?? "Never";
    if (current === undefined && !PREEMPTION_POLICIES.includes(policy)) {
      return [fieldNotSupported("preemptionPolicy", policy, PREEMPTION_POLICIES)];
    }
    const before = current as unknown as PriorityClass | undefined;
    if (before === undefined) return validateNew(next);
    return [
      ...((next.value ?? 0) === (before.value ?? 0)
        ? []
        : [fieldForbidden("value", "may not be changed in an update.")]),
      ...validateImmutable("preemptionPolicy", next.preemptionPolicy, before.preemptionPolicy),
    ];
  },
};

function validateNew({ metadata, value = 0, globalDefault = false }: PriorityClass): FieldError[] {
  const name = metadata?.name ?? "";
  if (!name.startsWith("system-")) {
    if (value <= USER_VALUE_MAX) return [];
    return [fieldForbidden("value", `maximum allowed value of a user defined priority is ${USER_VALUE_MAX}`)];
  }
  const known = SYSTEM_PRIORITIES.get(name);
  if (known?.value === value && !globalDefault) return [];
  const why =
    known === undefined
      ? `${name} is not a known system priority class`
      : known.value === value
        ? `globalDefault of ${name} must be false`
        : `value of ${name} PriorityClass must be ${known.value}`;
  const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`;
  return [fieldForbidden("metadata.name", detail)];
}
