import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyFromEnvironment } from "./proxy.ts";

const proxied = (server: string, noProxy: string): boolean =>
  proxyFromEnvironment(server, { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: noProxy }) !== undefined;

test("HTTPS_PROXY is used, in either case and with or without a scheme", () => {
  const server = "https://api.example.com:6443";
  assert.equal(proxyFromEnvironment(server, {}), undefined);
  assert.equal(proxyFromEnvironment(server, { HTTPS_PROXY: "http://proxy:3128" }), "http://proxy:3128");
  assert.equal(proxyFromEnvironment(server, { https_proxy: "proxy:3128" }), "http://proxy:3128");
  assert.equal(proxyFromEnvironment(server, { HTTP_PROXY: "http://proxy:3128" }), undefined);
});

test("this machine is never reached through a proxy", () => {
  for (const server of ["https://localhost:6443", "https://127.0.0.1:6443", "https://[::1]:6443"]) {
    assert.equal(proxied(server, ""), false);
  }
});

for (const [noProxy, server, expected] of [
  ["*", "https://api.example.com", false],
  ["example.com", "https://api.example.com", false],
  ["example.com", "https://example.com", false],
  ["example.com", "https://badexample.com", true],
  [".example.com", "https://example.com", true],
  [".example.com", "https://api.example.com", false],
  ["*.example.com", "https://api.example.com", false],
  ["other.com, example.com", "https://api.example.com", false],
  ["EXAMPLE.com", "https://API.example.com", false],
  ["example.com:6443", "https://api.example.com:6443", false],
  ["example.com:6443", "https://api.example.com", true],
  ["example.com:443", "https://api.example.com", false],
  ["10.96.0.1", "https://10.96.0.1", false],
  ["10.96.0.0/12", "https://10.96.0.1", false],
  ["10.96.0.0/12", "https://11.96.0.1", true],
  ["10.96.0.0/99", "https://10.96.0.1", true],
  ["fd00::/8", "https://[fd00::1]:443", false],
  ["fd00::/8", "https://10.96.0.1", true],
  ["", "https://api.example.com", true],
] as const) {
  test(`NO_PROXY=${JSON.stringify(noProxy)}: ${server} goes ${expected ? "through the proxy" : "directly"}`, () => {
    assert.equal(proxied(server, noProxy), expected);
  });
}
