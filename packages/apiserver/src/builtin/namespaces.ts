/** Namespaces: they end in two steps, and stay until the namespace controller has emptied them. */
import type { Namespace } from "@kubewright/api/core/v1";
import { type FieldError, fieldInvalid } from "@kubewright/core/protocol";
import { type ApiObject, withFields, withMetadata } from "../resource/object.ts";
import { objectOf } from "./defaults/fill.ts";
import type { KindParticulars } from "./kind-strategy.ts";
import { labelNames } from "./names.ts";
import { validateQualified } from "./validation/fields.ts";

const KUBERNETES_FINALIZER = "kubernetes";

/** What is particular to Namespaces. */
export const namespaceParticulars: KindParticulars = {
  returnsDeleted: true,
  nameErrors: labelNames,
  selectableFields: {
    "status.phase": (object) => (object as unknown as Namespace).status?.phase ?? "",
  },
  prepareForCreate: (object) => {
    const finalizers = finalizersOf(object);
    const all = finalizers.includes(KUBERNETES_FINALIZER) ? finalizers : [...finalizers, KUBERNETES_FINALIZER];
    return withFields(object, { spec: { finalizers: all } });
  },
  prepareForUpdate: (next, current, { subresource }) =>
    subresource === "finalize"
      ? withFields(next, { status: current["status"] })
      : withFields(next, { spec: current["spec"] }),
  validate: (object, current, { subresource }) => {
    if (subresource === "status") return validatePhase(object);
    if (current !== undefined && subresource !== "finalize") return [];
    return finalizersOf(object).flatMap((name, index) => validateQualified(`spec.finalizers[${index}]`, name));
  },
  prepareForDelete: (object) => {
    const status = { ...objectOf(object["status"]), phase: "Terminating" };
    return withMetadata(withFields(object, { status }), { deletionGracePeriodSeconds: undefined });
  },
  holdsDeletion: (object) => finalizersOf(object).length > 0,
};

/** A namespace is terminating as long as it is being deleted, and never else. */
function validatePhase(object: ApiObject): FieldError[] {
  const { phase = "" } = (object as unknown as Namespace).status ?? {};
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  const expected = isDeleting ? "Terminating" : "Active";
  if (phase === expected) return [];
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleting ? "not " : ""}empty`;
  return [fieldInvalid("status.Phase", phase, detail)];
}

function finalizersOf(object: ApiObject): readonly string[] {
  return (object as unknown as Namespace).spec?.finalizers ?? [];
}
