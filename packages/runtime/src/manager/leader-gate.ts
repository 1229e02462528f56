/** The gate of controllers that need leadership: nothing that changes something leaves once the lease may be lost. */
import type { RequestIntent } from "../client/requester.ts";
import type { LeaderElection } from "../election/leader-election.ts";

/** Refuses writes unless the election allows them at this very moment. */
export function leaderGate(election: LeaderElection): (intent: RequestIntent) => void {
  return ({ mutating, method, path }) => {
    if (mutating && !election.mayWrite) {
      throw new Error(
        `${method} ${path} was refused: this replica does not lead, or could not renew its lease in time`,
      );
    }
  };
}
