/** Ingresses, NetworkPolicies, EndpointSlices. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const network = (plural: string) => at(`/apis/networking.k8s.io/v1/namespaces/default/${plural}`);
const ingresses = network("ingresses");
const backend = { service: { name: "s", port: { number: 80 } } };
const ingress = (name: string, spec: object): object => ({ metadata: { name }, spec });
const rule = (path: object, host = "example.com"): object => ({
  rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend, ...path }] } }],
});
const slices = at("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices");
const classes = at("/apis/networking.k8s.io/v1/ingressclasses");

/** Scenarios about the network. */
export const networkScenarios: readonly Scenario[] = [
  ...creates(ingresses, {
    "an ingress": ingress("rules", rule({})),
    "a default backend": ingress("default", { defaultBackend: backend, ingressClassName: "nginx" }),
    "a wildcard with tls": ingress("wildcard", {
      ...rule({}, "*.example.com"),
      tls: [{ hosts: ["*.example.com"], secretName: "t" }],
    }),
    "a class by annotation": {
      metadata: { name: "annotated", annotations: { "kubernetes.io/ingress.class": "a" } },
      spec: rule({}),
    },
    nothing: ingress("x", {}),
    "no path type": ingress("x", rule({ pathType: undefined })),
    "a bad path type": ingress("x", rule({ pathType: "Regex" })),
    "a relative path": ingress("x", rule({ path: "a" })),
    "a path with dots": ingress("x", rule({ path: "/a/../b" })),
    "no backend": ingress("x", rule({ backend: {} })),
    "a backend without port": ingress("x", rule({ backend: { service: { name: "s" } } })),
    "a backend with two ports": ingress(
      "x",
      rule({ backend: { service: { name: "s", port: { name: "a", number: 80 } } } }),
    ),
    "a backend without name": ingress("x", rule({ backend: { service: { port: { number: 80 } } } })),
    "a host that is an address": ingress("x", rule({}, "10.0.0.1")),
    "a bad host": ingress("x", rule({}, "-a-")),
    "a bad wildcard": ingress("x", rule({}, "a.*.b")),
  }),
  scenario(
    "generations of an ingress",
    ingresses.create(ingress("generations", rule({}))),
    ingresses.merge("generations", { spec: { ingressClassName: "b" } }),
    ingresses.merge("generations", { metadata: { labels: { a: "b" } } }),
    {
      method: "PATCH",
      path: "/apis/networking.k8s.io/v1/namespaces/default/ingresses/generations/status",
      contentType: "application/merge-patch+json",
      body: { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
    },
    ingresses.remove("generations"),
  ),
  scenario(
    "ingress classes",
    classes.create({
      metadata: { name: "c" },
      spec: { controller: "example.com/c", parameters: { kind: "P", name: "p" } },
    }),
    classes.merge("c", { spec: { controller: "example.com/d" } }),
    classes.create({ metadata: { name: "x" }, spec: { controller: "nopath" } }),
  ),
  ...creates(network("networkpolicies"), {
    "a policy": { metadata: { name: "minimal" }, spec: { podSelector: {} } },
    "a policy both ways": {
      metadata: { name: "both" },
      spec: {
        podSelector: {},
        ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
        egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }],
      },
    },
    "a peer of nothing": { metadata: { name: "x" }, spec: { podSelector: {}, ingress: [{ from: [{}] }] } },
    "a peer of both": {
      metadata: { name: "x" },
      spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }] },
    },
    "a bad range": {
      metadata: { name: "x" },
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0" } }] }] },
    },
    "a bad type": { metadata: { name: "x" }, spec: { podSelector: {}, policyTypes: ["Sideways"] } },
  }),
  ...creates(slices, {
    "a slice": {
      metadata: { name: "slice" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.1"] }],
      ports: [{ port: 80 }],
    },
    "a slice without type": { metadata: { name: "x" }, endpoints: [] },
    "a slice of a bad type": { metadata: { name: "x" }, addressType: "IPX", endpoints: [] },
    "an address of another family": {
      metadata: { name: "x" },
      addressType: "IPv6",
      endpoints: [{ addresses: ["192.0.2.1"] }],
    },
    "an endpoint without address": { metadata: { name: "x" }, addressType: "IPv4", endpoints: [{ addresses: [] }] },
    "a loopback address": { metadata: { name: "x" }, addressType: "IPv4", endpoints: [{ addresses: ["127.0.0.1"] }] },
    "two ports of one name": {
      metadata: { name: "x" },
      addressType: "IPv4",
      endpoints: [],
      ports: [{ port: 80 }, { port: 81 }],
    },
  }),
  scenario(
    "a slice keeps its type",
    slices.create({ metadata: { name: "kept" }, addressType: "IPv4", endpoints: [] }),
    slices.merge("kept", { endpoints: [{ addresses: ["192.0.2.1"] }] }),
    slices.merge("kept", { addressType: "IPv6", endpoints: [] }),
    slices.merge("kept", { metadata: { labels: { a: "b" } } }),
  ),
];
