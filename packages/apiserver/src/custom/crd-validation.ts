/** Validation of CRDs, loaded when the first one is written. */
import type { FieldError } from "@kubewright/core/protocol";
import type { ApiObject } from "../resource/object.ts";

type CrdModule = typeof import("@kubewright/core/crd");

let crdModule: CrdModule | undefined;

/** Loads what validation needs; the strategy of CRDs names this as its `load`. */
export async function loadCrdValidation(): Promise<void> {
  crdModule ??= await import("@kubewright/core/crd");
}

/** What is wrong with a CRD. */
export function validateCrdObject(crd: ApiObject, current: ApiObject | undefined): readonly FieldError[] {
  return loadedModule().validateCrd(crd, current === undefined ? {} : { old: current });
}

/** What is odd about a CRD. */
export function warnAboutCrd(crd: ApiObject, current: ApiObject | undefined): readonly string[] {
  const { columnWarnings, crdWarnings } = loadedModule();
  return [...crdWarnings(crd, current), ...columnWarnings(crd, current)];
}

function loadedModule(): CrdModule {
  if (crdModule === undefined) throw new Error("the validation of CRDs is not loaded; await the strategy's load first");
  return crdModule;
}
