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
export function mutateUpdate(
  backend: Backend,
  write: WriteRequest,
  { current, next }: Succession,
): ApiObject | Promise<ApiObject> {
  const { admittedAs: form, shape } = write;
  if (form === "over") return next;
  const admission = admissionRequest(backend, write, "UPDATE");
  if (form === undefined) {
    const request = { ...admission, oldObject: current, object: next };
    return admitMutating(backend.admission, request, (object, known) => shape.settle(requireShallow(object), known));
  }
  const shown = form.show(next);
  const request = { ...admission, oldObject: form.show(current), object: shown };
  const mutated = admitMutating(backend.admission, request, requireShallow);
  const taken = (object: ApiObject): ApiObject => (object === shown ? next : form.take(next, object));
  return mutated instanceof Promise ? mutated.then(taken) : taken(mutated);
}

/** Throws when a plugin refuses the next object. */
export function validateUpdate(
  backend: Backend,
  write: WriteRequest,
  { current, next }: Succession,
): void | Promise<void> {
  const { admittedAs: form } = write;
  if (form === "over") return;
  return admitValidating(backend.admission, {
    ...admissionRequest(backend, write, "UPDATE"),
    oldObject: form?.show(current) ?? current,
    object: form?.show(next) ?? next,
  });
}
