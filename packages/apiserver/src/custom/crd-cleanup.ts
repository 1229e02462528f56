/**
 * What happens to the objects of a CRD that is being deleted: they are deleted too, and when the last one is gone, so
 * is what keeps the CRD. Runs inside the server, as it does inside kube-apiserver.
 */
import { formatGroupResource, formatTime, type JsonObject } from "@kubewright/core/meta";
import { isConflict, isNotFound } from "@kubewright/core/protocol";
import type { Crd } from "@kubewright/core/schema";
import type { Backend } from "../registry/backend.ts";
import { deleteObject } from "../registry/delete.ts";
import { internalWrite } from "../registry/internal-write.ts";
import { updateObject } from "../registry/update.ts";
import { type ApiObject, decodeObject, withFields, withMetadata } from "../resource/object.ts";
import { CRD_CLEANUP_FINALIZER, withCondition } from "./crd-strategy.ts";
import { CRD_RESOURCE } from "./custom-resources.ts";

/** Follows CRDs that are being deleted; returns what ends it. */
export function cleanUpCustomResources(backend: Backend): () => void {
  const stops = new Map<string, () => void>();
  const follow = (crd: ApiObject): void => {
    const name = crd.metadata.name ?? "";
    if (crd.metadata.deletionTimestamp === undefined || stops.has(name)) return;
    stops.set(name, cleanUpWhenDeleted(backend, crd));
  };
  const forget = (name: string): void => {
    stops.get(name)?.();
    stops.delete(name);
  };
  const watch = backend.storage.watch(CRD_RESOURCE, backend.storage.revision, ({ type, entry }) =>
    type === "deleted" ? forget(entry.key) : follow(decodeObject(entry.text)),
  );
  for (const entry of backend.storage.list(CRD_RESOURCE, {})?.entries ?? []) follow(decodeObject(entry.text));
  return () => {
    watch?.cancel();
    for (const name of [...stops.keys()]) forget(name);
  };
}

/** Deletes the objects now, and lets the CRD go when the last one is gone. */
function cleanUpWhenDeleted(backend: Backend, crd: ApiObject): () => void {
  const { storage, log } = backend;
  const { group, names } = (crd as unknown as Crd).spec;
  const resource = formatGroupResource({ group, plural: names.plural });
  let stopped = false;
  const run = (step: () => Promise<void>): void => {
    // After the write that brought us here has been answered.
    queueMicrotask(() => {
      if (stopped) return;
      step().catch((error: unknown) =>
        log.error("cannot clean up a CRD", { crd: crd.metadata.name, error: String(error) }),
      );
    });
  };
  const watch = storage.watch(resource, storage.revision, ({ type }) => {
    if (type === "deleted" && isEmpty(backend, resource)) run(() => releaseCrd(backend, crd));
  });
  run(async () => {
    await changeCrd(backend, crd, "status", (current) => terminating(current, formatTime(backend.clock.now())));
    await deleteAll(backend, resource, crd);
    if (isEmpty(backend, resource)) await releaseCrd(backend, crd);
  });
  return () => {
    stopped = true;
    watch?.cancel();
  };
}

function isEmpty({ storage }: Backend, resource: string): boolean {
  return storage.list(resource, { limit: 1 })?.entries.length === 0;
}

async function deleteAll(backend: Backend, resource: string, crd: ApiObject): Promise<void> {
  const { group, versions, names } = (crd as unknown as Crd).spec;
  const served = versions.filter((version) => version.served);
  // In the stored version where possible: the webhook that converts may be gone already.
  const version = (served.find((candidate) => candidate.storage) ?? served[0])?.name ?? "";
  const resourceServed = backend.registry.find(group, version, names.plural);
  if (resourceServed === undefined) return;
  for (const entry of backend.storage.list(resource, {})?.entries ?? []) {
    const { name = "", namespace = "" } = decodeObject(entry.text).metadata;
    const write = await internalWrite(resourceServed, { name, namespace });
    await deleteObject(backend, write, {}).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function releaseCrd(backend: Backend, crd: ApiObject): Promise<void> {
  await changeCrd(backend, crd, "", (current) => {
    const finalizers = (current.metadata.finalizers ?? []).filter((name) => name !== CRD_CLEANUP_FINALIZER);
    return withMetadata(current, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  });
}

async function changeCrd(
  backend: Backend,
  crd: ApiObject,
  subresource: string,
  change: (current: ApiObject) => ApiObject,
): Promise<void> {
  const resource = backend.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  if (resource === undefined) return;
  const write = await internalWrite(resource, { name: crd.metadata.name ?? "", namespace: "", subresource });
  await updateObject(backend, write, change).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  });
}

function terminating(crd: ApiObject, time: string): ApiObject {
  const status = (crd["status"] ?? {}) as JsonObject;
  const condition = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  };
  return withFields(crd, { status: withCondition(status, condition, time) });
}
