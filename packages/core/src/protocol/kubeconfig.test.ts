import assert from "node:assert/strict";
import { test } from "node:test";
import { formatKubeconfig } from "./kubeconfig.ts";

test("a kubeconfig names one context that is current and carries the credentials encoded", () => {
  const text = formatKubeconfig({
    name: "dev",
    server: "https://127.0.0.1:6443",
    certificateAuthority: "CA",
    client: { certificate: "CERT", key: "KEY" },
  });
  const config = JSON.parse(text);
  assert.equal(config["current-context"], "dev");
  assert.deepEqual(config.clusters, [
    { name: "dev", cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": "Q0E=" } },
  ]);
  assert.deepEqual(config.users, [
    { name: "dev", user: { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" } },
  ]);
  assert.deepEqual(config.contexts, [{ name: "dev", context: { cluster: "dev", user: "dev", namespace: "default" } }]);
});
