import assert from "node:assert/strict";
import { test } from "node:test";
import { isPercent, scaleIntOrPercent } from "./int-or-string.ts";
import { isMalformed } from "./malformed.ts";
import {
  apiVersionOf,
  formatGroupResource,
  formatGroupVersionKind,
  groupVersionKindOf,
  isSameGroupKind,
  parseApiVersion,
  parseGroupResource,
  pluralOfKind,
} from "./resource.ts";

test("API versions are read and printed, the core group without its name", () => {
  for (const text of ["v1", "apps/v1", "rbac.authorization.k8s.io/v1beta1"]) {
    assert.equal(apiVersionOf(parseApiVersion(text)), text);
  }
  assert.deepEqual(parseApiVersion("v1"), { group: "", version: "v1" });
  assert.throws(() => parseApiVersion("a/b/c"), { message: "unexpected GroupVersion string: a/b/c" });
});

test("resources are named with their group", () => {
  for (const text of ["pods", "deployments.apps", "memcacheds.cache.example.com"]) {
    assert.equal(formatGroupResource(parseGroupResource(text)), text);
  }
});

test("an object's kind is what it states", () => {
  const kind = { group: "apps", version: "v1", kind: "Deployment" };
  assert.deepEqual(groupVersionKindOf({ apiVersion: "apps/v1", kind: "Deployment" }), kind);
  assert.equal(formatGroupVersionKind(kind), "apps/v1, Kind=Deployment");
  assert.equal(isSameGroupKind(kind, { group: "apps", kind: "Deployment" }), true);
  assert.throws(() => groupVersionKindOf({ kind: "Pod" }), isMalformed);
});

test("plurals are guessed as Kubernetes does", () => {
  const plurals = {
    Pod: "pods",
    NetworkPolicy: "networkpolicies",
    Ingress: "ingresses",
    Endpoints: "endpoints",
    Gateway: "gatewaies",
  };
  for (const [kind, plural] of Object.entries(plurals)) assert.equal(pluralOfKind(kind), plural);
});

test("counts stay, percentages are taken of the total and rounded as asked", () => {
  assert.equal(scaleIntOrPercent(3, 10, "up"), 3);
  assert.equal(scaleIntOrPercent("25%", 10, "up"), 3);
  assert.equal(scaleIntOrPercent("25%", 10, "down"), 2);
  assert.equal(scaleIntOrPercent("100%", 7, "down"), 7);
  assert.equal(isPercent("25%"), true);
  assert.equal(isPercent("http"), false);
  assert.equal(isPercent(25), false);
});

test("texts that are no percentage are refused with Kubernetes' texts", () => {
  assert.throws(() => scaleIntOrPercent("5", 10, "up"), {
    message: "invalid value for IntOrString: invalid type: string is not a percentage",
  });
  assert.throws(() => scaleIntOrPercent("x%", 10, "up"), {
    message: 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
  });
});
