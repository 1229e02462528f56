/**
 * What a cluster has from its first moment: the namespaces and objects that every client expects. They go straight to the
 * storage, where they are not there yet: how they are stored was found out when they were generated.
 */
import { formatTime } from "@kubewright/core/meta";
import { randomUuid } from "@kubewright/core/ports";
import type { Backend } from "../registry/backend.ts";
import { encodeObject, withMetadata } from "../resource/object.ts";

/** How the generated objects say when they were made. */
const EPOCH = formatTime(0);

/** Stores what is not there yet; whatever is stored stays as it is. */
export async function createBootstrapObjects({
  storage,
  random,
  clock,
}: Pick<Backend, "storage" | "random" | "clock">): Promise<void> {
  const { bootstrapObjects } = await import("../builtin/generated/bootstrap-objects.ts");
  const time = formatTime(clock.now());
  for (const [resource, object] of bootstrapObjects) {
    const { name = "", namespace } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    if (storage.get(resource, key) !== undefined) continue;
    const own = withMetadata(object, { uid: randomUuid(random) });
    const encode = (revision: number): string => encodeObject(own, revision).replaceAll(EPOCH, time);
    storage.commit({ resource, key, operation: "put", expected: 0, encode });
  }
}
