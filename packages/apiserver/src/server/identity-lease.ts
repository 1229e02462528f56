/**
 * The Lease by which an API server says that it is there: `apiserver-…` in kube-system. Written when it first listens, since one that is used in
 * its process only is there for nobody else; like the objects that a cluster begins with, it goes straight to the storage. Always holds: while
 * the server listens the Lease has not ended.
 */
import { createHash } from "node:crypto";
import { formatMicroTime, formatTime, type JsonObject } from "@kubewright/core/meta";
import { type Cancel, randomUuid } from "@kubewright/core/ports";
import type { Backend } from "../registry/backend.ts";
import { contentOf } from "../registry/content.ts";
import { type ApiObject, decodeObject, withFields } from "../resource/object.ts";

const RESOURCE = "leases.coordination.k8s.io";
const NAMESPACE = "kube-system";
/** The same in every life of a server, which takes its Lease over when it starts again. */
const HOST = "localhost";
const LEASE_SECONDS = 3600;
/** Often enough for a lease of an hour, and next to nothing for whoever passes days. */
const RENEWAL_MS = 600_000;

type Ports = Pick<Backend, "storage" | "random" | "clock">;

/** Writes the Lease and renews it until cancelled. */
export function keepIdentityLease(ports: Ports): Cancel {
  const name = identityOf(HOST);
  const holder = `${name}_${randomUuid(ports.random)}`;
  let cancel: Cancel = () => {};
  const renew = (): void => {
    writeLease(name, holder, ports);
    cancel = ports.clock.schedule(RENEWAL_MS, renew);
  };
  renew();
  return () => cancel();
}

/** The name of the API server of a host, as kube-apiserver makes it. */
function identityOf(host: string): string {
  const digest = createHash("sha256");
  for (const text of [host, "kube-apiserver"]) digest.update(Uint8Array.of(0, text.length)).update(text);
  return `apiserver-${base32(digest.digest().subarray(0, 16))}`;
}

function writeLease(name: string, holderIdentity: string, { storage, random, clock }: Ports): void {
  const key = `${NAMESPACE}/${name}`;
  const stored = storage.get(RESOURCE, key);
  const renewTime = formatMicroTime(clock.now());
  const before = stored === undefined ? newLease(name, randomUuid(random), clock.now()) : decodeObject(stored.text);
  const object = withFields(before, { spec: { holderIdentity, leaseDurationSeconds: LEASE_SECONDS, renewTime } });
  const expected = stored?.revision ?? 0;
  storage.commit({ resource: RESOURCE, key, operation: "put", expected, ...contentOf(object) });
}

function newLease(name: string, uid: string, now: number): ApiObject {
  const time = formatTime(now);
  const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": HOST };
  const owner = { manager: "kube-apiserver", operation: "Update", apiVersion: "coordination.k8s.io/v1", time };
  const managedFields = [{ ...owner, fieldsType: "FieldsV1", fieldsV1: OWNED }];
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: NAMESPACE, uid, creationTimestamp: time, labels, managedFields },
  };
}

const OWNED: JsonObject = {
  "f:metadata": {
    "f:labels": { ".": {}, "f:apiserver.kubernetes.io/identity": {}, "f:kubernetes.io/hostname": {} },
  },
  "f:spec": { "f:holderIdentity": {}, "f:leaseDurationSeconds": {}, "f:renewTime": {} },
};

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Five bits a character, and zeros behind the last ones: RFC 4648 without padding, in lower case. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
