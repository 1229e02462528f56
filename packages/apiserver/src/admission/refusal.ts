/** The 403 of an admission plugin: names the object, or the prefix of its name where it has none yet. */
import { type ApiError, forbidden } from "@kubewright/core/protocol";
import type { AdmissionRequest } from "./admission.ts";

/** `pods "x" is forbidden: …`. */
export function refusal(request: AdmissionRequest, explanation: string): ApiError {
  return forbidden(request.resource.definition, refusedName(request), explanation);
}

/** The name that refusals use. */
export function refusedName({ name, object }: Pick<AdmissionRequest, "name" | "object">): string {
  if (name !== "") return name;
  const { name: ownName = "", generateName = "" } = object?.metadata ?? {};
  if (ownName !== "") return ownName;
  return generateName === "" ? "Unknown" : generateName;
}
