import assert from "node:assert/strict";
import { test } from "node:test";
import { unknownFieldsOf, unknownMetadataFieldsOf } from "./check-object.ts";

const deployment = (object: object) => () =>
  unknownFieldsOf({ group: "apps", version: "v1", kind: "Deployment" }, { ...object });

test("fields that a kind does not have are told in the order in which they stand", () => {
  const pod = { metadata: { name: "a", foo: 1 }, spec: { containers: [{ foo: 1, ports: [{ x: 1 }] }] }, dat: {} };
  const paths = ["metadata.foo", "spec.containers[0].foo", "spec.containers[0].ports[0].x", "dat"];
  assert.deepEqual(unknownFieldsOf({ group: "", version: "v1", kind: "Pod" }, pod), paths);
  assert.deepEqual(unknownMetadataFieldsOf({ name: "a", foo: 1 }), ["metadata.foo"]);
  assert.deepEqual(unknownFieldsOf({ group: "example.com", version: "v1", kind: "Widget" }, { anything: 1 }), []);
});

test("values of a wrong type are refused in Go's words", () => {
  const refused = (object: object, detail: string) =>
    assert.throws(deployment(object), { code: "Malformed", message: `json: cannot unmarshal ${detail}` });
  refused({ spec: [] }, "array into Go struct field Deployment.spec of type v1.DeploymentSpec");
  refused({ spec: { replicas: "x" } }, "string into Go struct field DeploymentSpec.spec.replicas of type int32");
  refused({ spec: { replicas: 1.5 } }, "number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32");
  refused({ metadata: { labels: { a: 1 } } }, "number into Go struct field ObjectMeta.metadata.labels of type string");
  const probe = { containers: [{ livenessProbe: { httpGet: { port: true } } }] };
  assert.throws(() => unknownFieldsOf({ group: "", version: "v1", kind: "Pod" }, { spec: probe }), {
    message:
      "json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32",
  });
});

test("bytes must be base64, and null is nothing", () => {
  const secret = (data: object) => () =>
    unknownFieldsOf({ group: "", version: "v1", kind: "Secret" }, { data: { ...data } });
  assert.throws(secret({ a: "%%" }), { message: "illegal base64 data at input byte 0" });
  assert.throws(secret({ a: 1 }), {
    message: "json: cannot unmarshal number into Go struct field Secret.data of type []uint8",
  });
  assert.deepEqual(secret({ a: "aGk=" })(), []);
  assert.deepEqual(deployment({ spec: null, metadata: { labels: null } })(), []);
});
