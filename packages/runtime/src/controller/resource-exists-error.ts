/** The error for a child whose name is taken by an object that the owner does not control. */

import type { ChildManifest } from "./child-manifest.ts";
import { childName } from "./children-plan.ts";

/** A child's name is taken by somebody else's object. Nothing of it was changed. */
export class ResourceExistsError extends Error {
  /** Marks the value for `isResourceExists`, across copies of this package. */
  readonly code = "ErrResourceExists";
  /** What the event says, in the words of Kubernetes' sample controller. */
  readonly note: string;

  constructor(message: string, note: string) {
    super(message);
    this.name = "ResourceExistsError";
    this.note = note;
  }
}

/** Makes the error for a child wanted by an object of `ownerKind`. */
export function resourceExistsError({ definition, object }: ChildManifest, ownerKind: string): ResourceExistsError {
  const note = `Resource "${object.metadata?.name}" already exists and is not managed by ${ownerKind}`;
  const remedy = `delete or rename ${childName(definition, object)}, or choose another name`;
  return new ResourceExistsError(`${note}; ${remedy}`, note);
}

/** True when a child's name was taken. */
export function isResourceExists(error: unknown): error is ResourceExistsError {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ErrResourceExists";
}
