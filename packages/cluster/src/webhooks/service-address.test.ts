import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service } from "@kubewright/api/core/v1";
import type { EndpointSlice } from "@kubewright/api/discovery/v1";
import { serviceAddress } from "./service-address.ts";

const service: Service = { spec: { ports: [{ name: "https", port: 443 }] } };

function slice(endpoint: object, portName = "https"): EndpointSlice {
  return {
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"], ...endpoint }],
    ports: [{ name: portName, port: 9443 }],
  };
}

test("a webhook's Service leads to an endpoint that is ready, at the port behind the Service's", () => {
  assert.deepEqual(serviceAddress(service, [slice({})], 443), { host: "192.0.2.1", port: 9443 });
  assert.equal(serviceAddress(service, [slice({ conditions: { ready: false } })], 443), undefined);
  assert.equal(serviceAddress(service, [slice({}, "metrics")], 443), undefined);
  assert.equal(serviceAddress(service, [slice({})], 8443), undefined);
});

test("difference: webhooks named by a Service: simulated pods listen nowhere", () => {
  assert.equal(serviceAddress(service, [slice({ targetRef: { kind: "Pod" } })], 443), undefined);
});

test("a Service that stands for a name leads there", () => {
  const external: Service = { spec: { type: "ExternalName", externalName: "localhost" } };
  assert.deepEqual(serviceAddress(external, [], 9443), { host: "localhost", port: 9443 });
});
