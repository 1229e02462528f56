import assert from "node:assert/strict";
import { test } from "node:test";
import { isMalformed } from "../meta/malformed.ts";
import { formatRequestPath, parseRequest, type ResourceRequest, requestTo } from "./request-path.ts";

/** The parts that differ between cases, as one line: verb, group/version, namespace, resource, name, subresource. */
function summary(method: string, path: string): string {
  const info = parseRequest(method, path);
  if (!info.isResource) return `other ${info.verb} ${info.path}`;
  const { verb, group, version, namespace, resource, name, subresource } = info;
  return `${verb} ${group}/${version} ns=${namespace} ${resource} name=${name} sub=${subresource}`;
}

const cases: ReadonlyArray<readonly [method: string, path: string, expected: string]> = [
  ["GET", "/api/v1/namespaces/shop/pods", "list /v1 ns=shop pods name= sub="],
  ["GET", "/api/v1/namespaces/shop/pods?watch=1", "watch /v1 ns=shop pods name= sub="],
  ["GET", "/api/v1/namespaces/shop/pods?watch=", "watch /v1 ns=shop pods name= sub="],
  ["GET", "/api/v1/namespaces/shop/pods?watch=False", "list /v1 ns=shop pods name= sub="],
  ["GET", "/api/v1/pods?watch=0", "list /v1 ns= pods name= sub="],
  ["HEAD", "/api/v1/pods", "list /v1 ns= pods name= sub="],
  ["GET", "/apis/apps/v1/namespaces/shop/deployments/web", "get apps/v1 ns=shop deployments name=web sub="],
  [
    "PUT",
    "/apis/apps/v1/namespaces/shop/deployments/web/status",
    "update apps/v1 ns=shop deployments name=web sub=status",
  ],
  [
    "PATCH",
    "/apis/apps/v1/namespaces/shop/deployments/web/scale",
    "patch apps/v1 ns=shop deployments name=web sub=scale",
  ],
  ["POST", "/api/v1/namespaces/shop/configmaps", "create /v1 ns=shop configmaps name= sub="],
  ["DELETE", "/api/v1/namespaces/shop/configmaps", "deletecollection /v1 ns=shop configmaps name= sub="],
  ["DELETE", "/api/v1/namespaces/shop/configmaps/a", "delete /v1 ns=shop configmaps name=a sub="],
  ["GET", "/api/v1/namespaces", "list /v1 ns= namespaces name= sub="],
  ["GET", "/api/v1/namespaces/shop", "get /v1 ns=shop namespaces name=shop sub="],
  ["PUT", "/api/v1/namespaces/shop/finalize", "update /v1 ns=shop namespaces name=shop sub=finalize"],
  ["PUT", "/api/v1/namespaces/shop/status", "update /v1 ns=shop namespaces name=shop sub=status"],
  ["GET", "/api/v1/nodes/n1/proxy/metrics/x", "get /v1 ns= nodes name=n1 sub=proxy"],
  ["GET", "/api/v1/watch/namespaces/shop/pods", "watch /v1 ns=shop pods name= sub="],
  ["GET", "/api/v1/watch/namespaces/shop/pods/a", "watch /v1 ns=shop pods name=a sub="],
  ["GET", "/api/v1/proxy/namespaces/shop/services/a/x", "proxy /v1 ns=shop services name=a sub="],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Da", "list /v1 ns= pods name=a sub="],
  ["GET", "/api/v1/pods?watch=true&fieldSelector=metadata.name%3Da%2Cspec.x%3D1", "watch /v1 ns= pods name=a sub="],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3D..", "list /v1 ns= pods name= sub="],
  ["GET", "/api/v1/pods?fieldSelector=nonsense", "list /v1 ns= pods name= sub="],
  [
    "GET",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
    "get rbac.authorization.k8s.io/v1 ns= clusterroles name=system:node sub=",
  ],
  ["OPTIONS", "/api/v1/pods", "undefined /v1 ns= pods name= sub="],
  ["GET", "/", "other get /"],
  ["GET", "/api", "other get /api"],
  ["GET", "/api/v1", "other get /api/v1"],
  ["GET", "/apis", "other get /apis"],
  ["GET", "/apis/apps", "other get /apis/apps"],
  ["GET", "/apis/apps/v1", "other get /apis/apps/v1"],
  ["GET", "/healthz?verbose", "other get /healthz"],
  ["POST", "/openapi/v3/apis/apps/v1", "other post /openapi/v3/apis/apps/v1"],
];

for (const [method, path, expected] of cases) {
  test(`${method} ${path} is understood`, () => assert.equal(summary(method, path), expected));
}

test("what follows a proxy subresource is kept", () => {
  const info = parseRequest("GET", "/api/v1/namespaces/shop/services/https:web:443/proxy/a/b?c=d") as ResourceRequest;
  assert.equal(info.name, "https:web:443");
  assert.deepEqual(info.rest, ["a", "b"]);
  assert.equal(info.query.get("c"), "d");
});

test("a path that cannot be decoded is malformed", () => {
  assert.throws(() => parseRequest("GET", "/api/v1/pods/%zz"), isMalformed);
  assert.throws(() => parseRequest("GET", "/api/v1/watch"), isMalformed);
});

test("a built path parses to what it was built from", () => {
  const targets = [
    { group: "", version: "v1", plural: "pods" },
    { group: "", version: "v1", plural: "pods", namespace: "shop", name: "a", subresource: "log" },
    { group: "apps", version: "v1", plural: "deployments", namespace: "shop" },
    { group: "rbac.authorization.k8s.io", version: "v1", plural: "clusterroles", name: "system:node" },
    { group: "example.com", version: "v1", plural: "things", namespace: "a", name: "häßlich name?#" },
  ];
  for (const target of targets) {
    const info = parseRequest("GET", formatRequestPath(target)) as ResourceRequest;
    const { group, version, resource, namespace, name, subresource } = info;
    const expected = { namespace: "", name: "", subresource: "", ...target };
    assert.deepEqual({ group, version, plural: resource, namespace, name, subresource }, expected);
  }
  const node = { group: "rbac.authorization.k8s.io", version: "v1", plural: "clusterroles", name: "system:node" };
  assert.equal(formatRequestPath(node), "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node");
});

test("what a path was made of says the same as the path", () => {
  const targets = [
    { group: "", version: "v1", plural: "pods" },
    { group: "", version: "v1", plural: "pods", namespace: "shop", name: "a", subresource: "log" },
    { group: "", version: "v1", plural: "pods", namespace: "shop", name: "a", subresource: "proxy/b/c" },
    { group: "", version: "v1", plural: "namespaces" },
    { group: "", version: "v1", plural: "namespaces", name: "shop" },
    { group: "", version: "v1", plural: "namespaces", name: "shop", subresource: "finalize" },
    { group: "", version: "v1", plural: "nodes", name: "a", subresource: "status" },
    { group: "apps", version: "v1", plural: "deployments", namespace: "shop", name: "web" },
    { group: "example.com", version: "v1", plural: "things", namespace: "a", name: "häßlich name?#" },
    { group: "rbac.authorization.k8s.io", version: "v1", plural: "clusterroles", name: "system:node" },
  ];
  const queries = ["", "?watch=true", "?fieldSelector=metadata.name%3Da", "?fieldManager=a&force=true"];
  for (const target of targets) {
    const path = formatRequestPath(target);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const query of queries) {
        const of = `${path}${query}`;
        assert.deepEqual(requestTo(method, { ...target, of, path, query }), parseRequest(method, of));
      }
    }
  }
});

test("a name that would change which objects are meant is refused", () => {
  for (const name of ["", ".", "..", "a/b", "a%2Fb"]) {
    assert.throws(() => formatRequestPath({ group: "", version: "v1", plural: "pods", name }), isMalformed);
  }
});
