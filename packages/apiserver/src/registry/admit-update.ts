/** Admission of an update, in the form in which plugins are to see it. update.ts calls it before and after it validates. */
import { admitMutating, admitValidating } from "../admission/admission.ts";
import { requireShallow } from "../request/nesting.ts";
import type { ApiObject } from "../resource/object.ts";
import type { Backend } from "./backend.ts";
import { admissionRequest, type WriteRequest } from "./write-request.ts";

/** What is stored and what is to follow it. */
export interface Succession {
  readonly current: ApiObject;
  readonly next: ApiObject;
}

/** What plugins make of the next object. */
export async function mutateUpdate(
  backend: Backend,
  write: WriteRequest,
  { current, next }: Succession,
): Promise<ApiObject> {
  const { admittedAs: form, shape } = write;
  if (form === "over") return next;
  const admission = admissionRequest(backend, write, "UPDATE");
  if (form === undefined) {
    const request = { ...admission, oldObject: current, object: next };
    return admitMutating(backend.admission, request, (object, known) => shape.settle(requireShallow(object), known));
  }
  const shown = form.show(next);
  const request = { ...admission, oldObject: form.show(current), object: shown };
  const mutated = await admitMutating(backend.admission, request, requireShallow);
  return mutated === shown ? next : form.take(next, mutated);
}

/** Throws when a plugin refuses the next object. */
export async function validateUpdate(
  backend: Backend,
  write: WriteRequest,
  { current, next }: Succession,
): Promise<void> {
  const { admittedAs: form } = write;
  if (form === "over") return;
  await admitValidating(backend.admission, {
    ...admissionRequest(backend, write, "UPDATE"),
    oldObject: form?.show(current) ?? current,
    object: form?.show(next) ?? next,
  });
}
