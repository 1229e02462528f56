/** Leases, by which processes elect a leader. */
import type { Lease } from "@kubewright/api/coordination/v1";
import { fieldForbidden, fieldInvalid } from "@kubewright/core/protocol";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateNonNegative } from "./validation/fields.ts";

/** What is particular to Leases. */
export const leaseParticulars: KindParticulars = {
  unconditionalUpdate: false,
  createOnUpdate: true,
  validate: (object) => {
    const {
      leaseDurationSeconds,
      leaseTransitions,
      strategy = "",
      preferredHolder = "",
    } = (object as unknown as Lease).spec ?? {};
    return [
      ...(leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0
        ? [fieldInvalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")]
        : []),
      ...validateNonNegative("spec.leaseTransitions", leaseTransitions),
      ...(preferredHolder !== "" && strategy === ""
        ? [fieldForbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")]
        : []),
    ];
  },
};
