/**
 * Tenant confinement: what a namespaced object makes its controller do stays in the object's namespace, so that whoever may write such
 * objects gains nothing elsewhere. A controller that must reach further declares it with `crossNamespace`.
 */
import type { RequestIntent } from "../client/requester.ts";

/** Refuses requests that leave `home`: other namespaces, all of them, and changes of cluster-scoped objects. */
export function confine(home: string, controller: string): (intent: RequestIntent) => void {
  return ({ definition, namespace, mutating, method, path }) => {
    if (definition === undefined || namespace === home) return;
    if (definition.scope === "Cluster" && !mutating) return;
    throw new Error(
      `${method} ${path} was refused: it leaves namespace ${JSON.stringify(home)}; ` +
        `if the controller ${JSON.stringify(controller)} means it, declare crossNamespace: true`,
    );
  };
}
