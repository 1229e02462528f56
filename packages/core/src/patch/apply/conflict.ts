/** Apply conflicts: fields that the configuration would change and that another manager owns, in kubectl's words. */
import { type ApiError, apiError } from "../../protocol/status.ts";
import { goQuote } from "../go-format.ts";
import type { ManagerFields } from "./managers.ts";
import { formatPath, type PathElement } from "./path-element.ts";

/** One field that somebody else owns. */
export interface Conflict {
  /** The owner. */
  readonly owner: ManagerFields;
  readonly path: readonly PathElement[];
}

/** The 409 for these conflicts, which must be grouped by owner, owners sorted by identity. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${describeOwner(owner)}`,
    field: formatPath(path),
  }));
  return apiError(409, "Conflict", conflictMessage(conflicts), { causes });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${describeOwner(only.owner)}: ${formatPath(only.path)}`;
  }
  const lines: string[] = [];
  let owner: ManagerFields | undefined;
  for (const conflict of conflicts) {
    if (conflict.owner !== owner) lines.push(`conflicts with ${describeOwner(conflict.owner)}:`);
    owner = conflict.owner;
    lines.push(`- ${formatPath(conflict.path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeOwner({ manager, operation, apiVersion, subresource }: ManagerFields): string {
  const through = subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager)}${through}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
