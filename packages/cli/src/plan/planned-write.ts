/** One write of a plan, as it is shown and told as JSON. */
import type { ChildAction } from "@kubewright/runtime";

/** One write. */
export interface PlannedWrite {
  /** "Memcached default/a", or of a controller that works step by step its name: why it would be written. */
  readonly because: string;
  readonly action: ChildAction["kind"];
  /** "deployment.apps/a" */
  readonly object: string;
  readonly namespace?: string;
  /** Changed lines of the object, for updates. */
  readonly lines: readonly string[];
}
