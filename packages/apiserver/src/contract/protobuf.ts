/** Bodies in Kubernetes' protobuf, as Go clients send them. */
import assert from "node:assert/strict";
import { type ContractCase, contract } from "./case.ts";
import { configMaps } from "./objects.ts";

const headers = { "content-type": "application/vnd.kubernetes.protobuf", accept: "application/json" };

/** A length-delimited field; everything here is shorter than 128 bytes. */
function field(number: number, value: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.byteLength]), bytes]);
}

function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, typeMeta), field(2, raw)]);
}

/** The cases. */
export const protobufCases: readonly ContractCase[] = [
  contract("an object may come as protobuf, with the empty fields that Go writes", async (api) => {
    const metadata = Buffer.concat([field(1, "a"), field(2, ""), field(3, "")]);
    const entry = Buffer.concat([field(1, "k"), field(2, "v")]);
    const body = envelope("v1", "ConfigMap", Buffer.concat([field(1, metadata), field(2, entry)]));
    const created = await api.post(configMaps(api.namespace), body, { headers });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.data, { k: "v" });
    assert.equal(created.body.metadata.generateName, undefined);
  }),

  contract("a review may come as protobuf, and options of a deletion, too", async (api) => {
    const attributes = Buffer.concat([field(2, "get"), field(5, "pods")]);
    const spec = field(1, attributes);
    const raw = Buffer.concat([field(1, Buffer.concat([field(1, ""), field(2, "")])), field(2, spec)]);
    const review = envelope("authorization.k8s.io/v1", "SelfSubjectAccessReview", raw);
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const answer = await api.post(path, review, { headers });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.status.allowed, true);
    await api.post(configMaps(api.namespace), { metadata: { name: "b" } });
    const options = envelope("v1", "DeleteOptions", field(4, "Background"));
    const deleted = await api.delete(`${configMaps(api.namespace)}/b`, options, { headers });
    assert.equal(deleted.status, 200, deleted.text);
  }),
];
