/** The error for a child whose name is taken by an object that the owner does not control. */

import type { ChildManifest } from "./child-manifest.ts";
import { childName } from "./children-plan.ts";

/** A child's name is taken by somebody else's object. Nothing of it was changed. */
export class ResourceExistsError extends Error {
  /** Marks the value for `isResourceExists`, across copies of this package. */
  readonly code = "ErrResourceExists";

  constructor(message: string) {
    super(message);
    this.name = "ResourceExistsError";
  }
}

/** Makes the error for a child wanted by `owner`. */
export function resourceExistsError(manifest: ChildManifest, owner: string): ResourceExistsError {
  const child = childName(manifest.definition, manifest.object);
  return new ResourceExistsError(
    `Resource ${child} already exists and is not managed by ${owner}; delete or rename it, or choose another name`,
  );
}

/** True when a child's name was taken. */
export function isResourceExists(error: unknown): error is ResourceExistsError {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ErrResourceExists";
}
