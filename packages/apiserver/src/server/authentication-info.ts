/**
 * What a server that asks for client certificates tells of it: the ConfigMap extension-apiserver-authentication, by which
 * servers beside it (and whoever else may read kube-system) know the authorities it believes. Written when it listens; like
 * the objects that a cluster begins with, it goes straight to the storage.
 */
import { formatTime } from "@kubewright/core/meta";
import { randomUuid } from "@kubewright/core/ports";
import type { Backend } from "../registry/backend.ts";
import { type ApiObject, decodeObject, encodeObject, withFields } from "../resource/object.ts";

const RESOURCE = "configmaps";
const NAMESPACE = "kube-system";
const NAME = "extension-apiserver-authentication";
const KEY = "client-ca-file";

/** Says whose client certificates are believed, as PEM. */
export function publishClientAuthorities(
  { storage, random, clock }: Pick<Backend, "storage" | "random" | "clock">,
  certificates: string,
): void {
  const key = `${NAMESPACE}/${NAME}`;
  const stored = storage.get(RESOURCE, key);
  const data = { [KEY]: certificates };
  const time = formatTime(clock.now());
  const before = stored === undefined ? newInfo(randomUuid(random), time) : decodeObject(stored.text);
  const object = withFields(before, { data });
  if (stored !== undefined && (before["data"] as typeof data | undefined)?.[KEY] === certificates) return;
  const encode = (revision: number): string => encodeObject(object, revision);
  storage.commit({ resource: RESOURCE, key, operation: "put", expected: stored?.revision ?? 0, encode });
}

function newInfo(uid: string, time: string): ApiObject {
  const owned = { "f:data": { ".": {}, [`f:${KEY}`]: {} } };
  const owner = { manager: "kube-apiserver", operation: "Update", apiVersion: "v1", time };
  const managedFields = [{ ...owner, fieldsType: "FieldsV1", fieldsV1: owned }];
  const metadata = { name: NAME, namespace: NAMESPACE, uid, creationTimestamp: time, managedFields };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}
