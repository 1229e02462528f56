/** Leases, by which processes elect a leader. */
import type { Lease } from "@kubewright/api/coordination/v1";
import { fieldInvalid } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../resource/object.ts";
import { objectOf } from "./defaults/fill.ts";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateNonNegative } from "./validation/fields.ts";

/** What is particular to Leases. */
export const leaseParticulars: KindParticulars = {
  unconditionalUpdate: false,
  createOnUpdate: true,
  prepareForCreate: withoutCoordination,
  prepareForUpdate: withoutCoordination,
  validate: (object) => {
    const { leaseDurationSeconds, leaseTransitions } = (object as unknown as Lease).spec ?? {};
    return [
      ...(leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0
        ? [fieldInvalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")]
        : []),
      ...validateNonNegative("spec.leaseTransitions", leaseTransitions),
    ];
  },
};

/** Kubernetes knows these fields, and drops them until coordinated elections are served. */
function withoutCoordination(object: ApiObject): ApiObject {
  const { strategy, preferredHolder, ...spec } = objectOf(object["spec"]);
  return strategy === undefined && preferredHolder === undefined ? object : withFields(object, { spec });
}
