/** What the server refuses, and in which words. */
import assert from "node:assert/strict";
import type { Answer } from "./api.ts";
import { type ContractCase, contract } from "./case.ts";
import { configMap, configMaps } from "./objects.ts";
import { serveWidgets } from "./widgets.ts";

function refused(answer: Answer, code: number, message: string | RegExp): void {
  assert.equal(answer.status, code, answer.text.slice(0, 500));
  if (typeof message === "string") assert.equal(answer.body.message, message);
  else assert.match(answer.body.message, message);
  assert.equal(answer.body.kind, "Status");
  assert.equal(answer.body.code, code);
}

const deployments = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** The cases. */
export const refusalCases: readonly ContractCase[] = [
  contract("bodies that are no object are refused with their beginning", async (api) => {
    const path = configMaps(api.namespace);
    const unrecognized =
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error:";
    refused(await api.post(path, '{"kind":'), 400, `${unrecognized} unexpected end of JSON input ({"kind":)`);
    refused(await api.post(path, ""), 400, `${unrecognized} unexpected end of JSON input (<empty>)`);
    refused(await api.post(path, "[]"), 400, /cannot unmarshal array .* \(5b5d\)$/);
    const media =
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf";
    refused(await api.post(path, "x", { headers: { "content-type": "text/plain" } }), 415, media);
  }),

  contract("values of a wrong type are refused in the decoder's words", async (api) => {
    const spec = (value: unknown) => ({ metadata: { name: "a" }, spec: value });
    const start = 'Deployment in version "v1" cannot be handled as a Deployment:';
    refused(
      await api.post(deployments(api.namespace), spec({ replicas: "x" })),
      400,
      `${start} json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    );
    refused(
      await api.post(deployments(api.namespace), spec([])),
      400,
      `${start} json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec`,
    );
    const limits = { template: { spec: { containers: [{ resources: { limits: { cpu: "x" } } }] } } };
    refused(
      await api.post(deployments(api.namespace), spec(limits)),
      400,
      /quantities must match the regular expression/,
    );
  }),

  contract("unknown and duplicate fields are refused, told or ignored", async (api) => {
    const path = configMaps(api.namespace);
    const body = (name: string) => `{"metadata":{"name":"${name}","foo":"x"},"dat":{"a":1},"data":{"x":"1","x":"2"}}`;
    refused(
      await api.post(`${path}?fieldValidation=Strict`, body("a")),
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.foo", unknown field "dat", duplicate field "data.x"',
    );
    const told = await api.post(path, body("b"));
    assert.equal(told.status, 201);
    assert.deepEqual(told.body.data, { x: "2" });
    assert.equal(
      told.headers["warning"],
      '299 - "unknown field \\"metadata.foo\\"", 299 - "unknown field \\"dat\\"", 299 - "duplicate field \\"data.x\\""',
    );
    const ignored = await api.post(`${path}?fieldValidation=Ignore`, body("c"));
    assert.equal(ignored.status, 201);
    assert.equal(ignored.headers["warning"], undefined);
    assert.equal((await api.post(`${path}?fieldValidation=Sometimes`, body("d"))).status, 422);
  }),

  contract("a body must agree with its path", async (api) => {
    const path = configMaps(api.namespace);
    const elsewhere = { metadata: { name: "a", namespace: "elsewhere" } };
    refused(
      await api.post(path, elsewhere),
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    );
    refused(
      await api.put(`${path}/a`, { metadata: { name: "b" } }),
      400,
      "the name of the object (b) does not match the name on the URL (a)",
    );
    refused(
      await api.put(`${path}/a`, { metadata: {} }),
      400,
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    );
    refused(
      await api.post(path, { kind: "Pod", metadata: { name: "a" } }),
      400,
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    );
    refused(
      await api.post(path, { metadata: { name: "a", resourceVersion: "1" } }),
      500,
      "resourceVersion should not be set on objects to be created",
    );
  }),

  contract("paths and methods that are not there are told apart", async (api) => {
    const notAllowed = "the server does not allow this method on the requested resource";
    refused(await api.post("/api/v1/configmaps", configMap("a")), 405, notAllowed);
    refused(await api.patch(configMaps(api.namespace), "application/merge-patch+json", {}), 405, notAllowed);
    refused(await api.post(`${configMaps(api.namespace)}/a`, configMap("a")), 405, notAllowed);
    const missing = "the server could not find the requested resource";
    refused(await api.get(`/api/v1/namespaces/${api.namespace}/nothings`), 404, missing);
    const unknown = await api.get("/apis/none.example.com/v1/things");
    assert.equal(unknown.status, 404);
    assert.equal(unknown.text, "404 page not found\n");
    refused(
      await api.patch(`${configMaps(api.namespace)}/a`, "application/json", {}),
      415,
      "415: Unsupported Media Type",
    );
  }),

  contract("resource versions must be numbers, and lists must not contradict themselves", async (api) => {
    const path = configMaps(api.namespace);
    const why = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';
    refused(await api.get(`${path}?resourceVersion=abc`), 400, `invalid resource version: ${why}`);
    refused(await api.get(`${path}/a?resourceVersion=abc`), 500, why);
    refused(await api.get(`${path}?watch=1&resourceVersion=abc`), 500, why);
    const invalid = (detail: string) => `ListOptions.meta.k8s.io "" is invalid: ${detail}`;
    refused(
      await api.get(`${path}?resourceVersionMatch=Exact`),
      422,
      invalid("resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"),
    );
    refused(
      await api.get(`${path}?resourceVersionMatch=Exact&resourceVersion=0`),
      422,
      invalid('resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
    refused(
      await api.get(`${path}?sendInitialEvents=true`),
      422,
      invalid("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"),
    );
    refused(
      await api.get(`${path}?watch=1&resourceVersionMatch=NotOlderThan`),
      422,
      invalid(
        "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
      ),
    );
    refused(
      await api.get(`${path}?watch=1&sendInitialEvents=true`),
      422,
      invalid(
        "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      ),
    );
    refused(
      await api.get(`${path}?resourceVersion=1&resourceVersionMatch=Sometimes`),
      422,
      invalid('resourceVersionMatch: Unsupported value: "Sometimes": supported values: "Exact", "NotOlderThan", ""'),
    );
    assert.equal((await api.get(`${path}?continue=abc`)).status, 400);
  }),

  contract("names, labels, finalizers and owners follow rules", async (api) => {
    const path = configMaps(api.namespace);
    refused(
      await api.post(path, configMap("A_b")),
      422,
      `ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    );
    refused(
      await api.post(path, { metadata: {} }),
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    );
    assert.equal((await api.post(path, configMap("a", {}, { labels: { "a b": "c" } }))).status, 422);
    assert.equal((await api.post(path, configMap("a", {}, { finalizers: ["no spaces here"] }))).status, 422);
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1", controller: true };
    refused(
      await api.post(path, configMap("a", {}, { ownerReferences: [owner, { ...owner, name: "p", uid: "2" }] })),
      422,
      /Only one reference can have Controller set to true\. Found "true" in references for ConfigMap\/o and ConfigMap\/p$/,
    );
  }),

  contract("custom resources must say what they are", async (api) => {
    const path = await serveWidgets(api);
    const group = `${api.namespace}.example.com`;
    refused(
      await api.post(path, { metadata: { name: "x" } }),
      400,
      `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"metadata":{"name":"x"}}' ({"metadata":{"name":"x"}})`,
    );
    const object = (changes: object) => ({
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { name: "x" },
      ...changes,
    });
    refused(
      await api.post(path, object({ apiVersion: `${group}/v2` })),
      400,
      `the API version in the data (${group}/v2) does not match the expected API version (${group}/v1)`,
    );
    refused(
      await api.post(path, object({ kind: "Widgt" })),
      422,
      `Widgt.${group} "x" is invalid: kind: Invalid value: "Widgt": must be Widget`,
    );
    refused(
      await api.post(path, object({ metadata: { name: "x", labels: { a: 1 } } })),
      400,
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
    const body = JSON.stringify(object({ metadata: { name: "x", foo: 1 }, spec: { u: 1, size: 1 } })).replace(
      '"size":1',
      '"size":1,"size":2',
    );
    refused(
      await api.post(`${path}?fieldValidation=Strict`, body),
      400,
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.size", unknown field "metadata.foo", unknown field "spec.u"',
    );
    refused(
      await api.patch(`${path}/x`, "application/strategic-merge-patch+json", {}),
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    );
  }),

  contract("too large a body is refused with the limit", async (api) => {
    const big = configMap("big", { k: "x".repeat(3 * 1024 * 1024) });
    refused(await api.post(configMaps(api.namespace), big), 413, "Request entity too large: limit is 3145728");
  }),

  contract("an answer that nobody can make is not made", async (api) => {
    const headers = { accept: "text/html" };
    refused(
      await api.get(configMaps(api.namespace), { headers }),
      406,
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    );
    const list = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
    assert.equal((await api.get(configMaps(api.namespace), { headers: list })).status, 406);
  }),
];
