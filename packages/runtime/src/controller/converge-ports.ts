/** What converging works with: shared by converge.ts and child-actions.ts, made by run-controller.ts. */
import type { Cache } from "../cache/cache.ts";
import type { AnyController } from "./define-controller.ts";
import type { OwnWrites } from "./own-writes.ts";
import type { SettledChildren } from "./settled-children.ts";

/** What the runtime keeps for one controller between reconciles. */
export interface ConvergeMemory {
  readonly settled: SettledChildren;
  /** False once the server dropped `status.observedGeneration`: the kind does not have it. */
  keepsObservedGeneration: boolean;
}

/** What converging works with. */
export interface ConvergePorts {
  readonly controller: AnyController;
  readonly cache: Cache;
  readonly memory: ConvergeMemory;
  /** Where children are noted that need not be looked at again. */
  readonly ownWrites?: OwnWrites | undefined;
  /** The epoch of a fenced controller's leader. */
  readonly epoch?: number | undefined;
}
