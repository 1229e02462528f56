/**
 * Tenant confinement: what a namespaced object makes its controller do stays in the object's namespace, so that whoever may write such
 * objects gains nothing elsewhere. A controller that must reach further declares it with `crossNamespace`.
 */
import { parseRequest } from "@kubewright/core/protocol";
import type { Cache } from "../cache/cache.ts";
import type { CacheReader } from "../cache/cache-reader.ts";
import type { RequestIntent } from "../client/requester.ts";

/** Refuses requests that leave `home`: other namespaces, all of them, and changes of cluster-scoped objects. */
export function confine(home: string, controller: string): (intent: RequestIntent) => void {
  return (intent) => {
    const { definition, namespace, mutating, method, path } = intent;
    if (definition === undefined ? staysByPath(home, intent) : namespace === home) return;
    if (definition?.scope === "Cluster" && !mutating) return;
    throw new Error(
      `${method} ${path} was refused: it leaves namespace ${JSON.stringify(home)}; ` +
        `if the controller ${JSON.stringify(controller)} means it, declare crossNamespace: true`,
    );
  };
}

/** A request by path has no kind to tell its scope: it stays if it names the namespace, or reads what is about no object. */
function staysByPath(home: string, { method, path, mutating }: RequestIntent): boolean {
  const request = parseRequest(method, path);
  return request.isResource ? request.namespace === home : !mutating;
}

/** Caches, and the controller that reads them. */
export interface ReadingPorts {
  readonly cache: Cache;
  readonly controller: { readonly crossNamespace?: boolean };
}

/** The caches, for the reconcile of an object in `namespace`: no name leads out of it, unless the controller says so. */
export function confinedReader(namespace: string | undefined, { controller, cache }: ReadingPorts): CacheReader {
  return cache.reader(namespace, namespace !== undefined && controller.crossNamespace !== true);
}
