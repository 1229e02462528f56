/**
 * The IPAddresses of Services: one for each cluster address, which names the Service. They are written in the same moment as the Service
 * that has the address, straight to the storage, and go with it. Runs inside the server, as the allocator of kube-apiserver does. Which addresses
 * are free is what address-stock.ts makes of them.
 */
import { formatTime, type JsonObject } from "@kubewright/core/meta";
import { randomUuid } from "@kubewright/core/ports";
import type { Backend } from "../../registry/backend.ts";
import { contentOf } from "../../registry/content.ts";
import { type ApiObject, decodeObject } from "../../resource/object.ts";
import type { Storage, StoredEntry } from "../../storage/storage.ts";
import { allocationsOf } from "./service-fields.ts";

/** What storage calls IPAddresses. */
export const IP_ADDRESSES = "ipaddresses.networking.k8s.io";
const SERVICES = "services";

type Ports = Pick<Backend, "storage" | "random" | "clock">;

/** Keeps the addresses of the Services that are stored, and of those that will be; returns what ends it. */
export function keepIpAddresses(ports: Ports): () => void {
  const { storage } = ports;
  for (const service of storage.list(SERVICES, {})?.entries ?? []) {
    for (const address of addressesOf(service)) createAddress(address, service, ports);
  }
  const watch = storage.watch(SERVICES, storage.revision, ({ type, entry, previous }) => {
    const before = previous === undefined ? [] : addressesOf(previous);
    const after = type === "deleted" ? [] : addressesOf(entry);
    for (const address of before) if (!after.includes(address)) deleteAddress(address, storage);
    for (const address of after) if (!before.includes(address)) createAddress(address, entry, ports);
  });
  return () => watch?.cancel();
}

function addressesOf(service: StoredEntry): readonly string[] {
  return allocationsOf(objectOf(service)).addresses;
}

function objectOf(entry: StoredEntry): ApiObject {
  return (entry.value?.object as ApiObject | undefined) ?? decodeObject(entry.text);
}

/** One that is there already stays as it is: two Services may have one address after somebody deleted its IPAddress. */
function createAddress(address: string, service: StoredEntry, { storage, random, clock }: Ports): void {
  const { namespace = "", name = "" } = objectOf(service).metadata;
  const made = { uid: randomUuid(random), time: formatTime(clock.now()) };
  const object = newAddress(address, { namespace, name }, made);
  storage.commit({ resource: IP_ADDRESSES, key: address, operation: "put", expected: 0, ...contentOf(object) });
}

function deleteAddress(address: string, storage: Storage): void {
  const entry = storage.get(IP_ADDRESSES, address);
  if (entry === undefined) return;
  const content = contentOf(decodeObject(entry.text));
  storage.commit({ resource: IP_ADDRESSES, key: address, operation: "delete", expected: entry.revision, ...content });
}

function newAddress(
  address: string,
  service: { readonly namespace: string; readonly name: string },
  { uid, time }: { readonly uid: string; readonly time: string },
): ApiObject {
  const labels = {
    "ipaddress.kubernetes.io/ip-family": address.includes(":") ? "IPv6" : "IPv4",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
  };
  const owner = { manager: "kube-apiserver", operation: "Update", apiVersion: "networking.k8s.io/v1", time };
  const managedFields = [{ ...owner, fieldsType: "FieldsV1", fieldsV1: OWNED }];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "IPAddress",
    metadata: { name: address, uid, creationTimestamp: time, labels, managedFields },
    spec: { parentRef: { resource: SERVICES, ...service } },
  };
}

const OWNED: JsonObject = {
  "f:metadata": {
    "f:labels": {
      ".": {},
      "f:ipaddress.kubernetes.io/ip-family": {},
      "f:ipaddress.kubernetes.io/managed-by": {},
    },
  },
  "f:spec": { "f:parentRef": { ".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {} } },
};
