/** Approval of APIs in the groups of the Kubernetes community (*.k8s.io, *.kubernetes.io). Used by validate-crd.ts. */
import { type FieldError, fieldInvalid, fieldRequired } from "../protocol/field-error.ts";
import type { CrdInput } from "./crd-input.ts";

const APPROVAL = "api-approved.kubernetes.io";

/** Groups of the Kubernetes community need an approval, or the admission that there is none. */
export function validateApproval(crd: CrdInput, old: CrdInput | undefined): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(crd.spec?.group ?? "")) return [];
  const approval = crd.metadata?.annotations?.[APPROVAL] ?? "";
  const state = approvalState(approval);
  if (old !== undefined && approvalState(old.metadata?.annotations?.[APPROVAL] ?? "") === state) return [];
  const field = `metadata.annotations[${APPROVAL}]`;
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  const must = `protected groups must have approval annotation "${APPROVAL}"`;
  if (state === "missing") return [fieldRequired(field, `${must}, ${see}`)];
  if (state !== "invalid") return [];
  return [fieldInvalid(field, approval, `${must} with either a URL or a reason starting with "unapproved", ${see}`)];
}

function approvalState(approval: string): "missing" | "bypassed" | "approved" | "invalid" {
  if (approval === "") return "missing";
  if (approval.startsWith("unapproved")) return "bypassed";
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i.test(approval) ? "approved" : "invalid";
}
