/** What definitions say holds for objects: the engine judges objects by the schemas of test/resources.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyDefaults, validateObject } from "../src/engine/index.ts";
import type { Json } from "../src/meta/json.ts";
import { resources } from "./resources.ts";

/** The texts of all errors of an object after defaulting; with `old`, as an update of it. */
function errorsOf(kind: string, spec: Json, old?: Json): string[] {
  const resource = resources.find((candidate) => candidate.kind === kind);
  assert.ok(resource);
  const objectOf = (content: Json) => applyDefaults({ metadata: { name: "a" }, spec: content }, resource.schema);
  const options = old === undefined ? {} : { old: objectOf(old) };
  const { errors } = validateObject(objectOf(spec), resource.schema, options);
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

test("a tagged union takes each variant with its own fields", () => {
  assert.deepEqual(errorsOf("RedisEnterpriseCluster", { backup: { type: "S3", bucket: "b", region: "r" } }), []);
  assert.deepEqual(errorsOf("RedisEnterpriseCluster", { backup: { type: "Volume", claim: "c" } }), []);
  assert.deepEqual(errorsOf("RedisEnterpriseCluster", {}), []);
});

test("a tagged union refuses a variant without its fields, or with another's", () => {
  assert.match(
    errorsOf("RedisEnterpriseCluster", { backup: { type: "S3" } }).join(),
    /bucket is required when type is "S3"/,
  );
  assert.match(
    errorsOf("RedisEnterpriseCluster", { backup: { type: "Volume", claim: "c", bucket: "b" } }).join(),
    /bucket may not be set when type is "Volume"/,
  );
  assert.match(
    errorsOf("RedisEnterpriseCluster", { backup: { type: "Tape" } }).join(),
    /supported values: "S3", "Volume"/,
  );
});

test("at most one of several fields may be set", () => {
  assert.deepEqual(errorsOf("RedisEnterpriseCluster", { license: "x" }), []);
  assert.match(
    errorsOf("RedisEnterpriseCluster", { license: "x", licenseSecretName: "y" }).join(),
    /at most one of the fields in \[license licenseSecretName\] may be set/,
  );
});

const certificate = { secretName: "tls", issuerRef: { name: "ca" } };

test("exactly one of several fields must be set", () => {
  assert.deepEqual(errorsOf("Certificate", { ...certificate, subject: { x500: "CN=a" } }), []);
  assert.match(errorsOf("Certificate", { ...certificate, subject: {} }).join(), /exactly one of the fields in/);
});

test("a rule reads defaults and names the field it is about", () => {
  assert.deepEqual(errorsOf("Certificate", { ...certificate, privateKey: { size: 256 } }), []);
  const [error] = errorsOf("Certificate", { ...certificate, privateKey: { algorithm: "RSA", size: 1024 } });
  assert.match(error ?? "", /^spec\.privateKey\.size: .*RSA keys have at least 2048 bits/);
});

test("what is immutable is chosen once", () => {
  assert.deepEqual(errorsOf("Certificate", certificate, certificate), []);
  const changed = { ...certificate, issuerRef: { name: "other" } };
  assert.match(errorsOf("Certificate", changed, certificate).join(), /^spec\.issuerRef: .*field is immutable/);
});

test("items of a keyed list differ in their keys", () => {
  const job = { name: "up", schedule: "0 8 * * *", size: 3 };
  const spec = { scaleTarget: { kind: "Deployment", name: "web" }, jobs: [job, job] };
  assert.match(errorsOf("Hpa", spec).join(), /^spec\.jobs\[1\]: Duplicate value: \{"name":"up"\}/);
});

test("quantities are quantities", () => {
  const service = { msName: "a", fullName: "a", version: "1", path: "a", image: "a" };
  const requirements = (cpu: Json) => ({ ...service, resourceRequirements: { limits: { cpu }, requests: { cpu: 1 } } });
  assert.deepEqual(errorsOf("MicroServiceDeploy", requirements("500m")), []);
  assert.match(errorsOf("MicroServiceDeploy", requirements("half")).join(), /should match/);
});
