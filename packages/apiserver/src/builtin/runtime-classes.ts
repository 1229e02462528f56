/** RuntimeClasses: their handler is fixed. */
import type { RuntimeClass } from "@kubewright/api/node/v1";
import type { KindParticulars } from "./kind-strategy.ts";
import { validateImmutable, validateLabelName } from "./validation/fields.ts";

/** What is particular to RuntimeClasses. */
export const runtimeClassParticulars: KindParticulars = {
  unconditionalUpdate: false,
  validate: (object, current) => {
    const { handler } = object as unknown as RuntimeClass;
    const before = (current as unknown as RuntimeClass | undefined)?.handler;
    return before === undefined ? validateLabelName("handler", handler) : validateImmutable("handler", handler, before);
  },
};
