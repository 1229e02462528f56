/** IPAddresses and ServiceCIDRs: those that the server keeps for Services, and those that clients make. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const services = at("/api/v1/namespaces/default/services");
const addresses = at("/apis/networking.k8s.io/v1/ipaddresses");
const ranges = at("/apis/networking.k8s.io/v1/servicecidrs");
const ports = [{ port: 80 }];
const service = (name: string, spec: object): object => ({ metadata: { name }, spec: { ports, ...spec } });
const parentRef = { resource: "gateways", group: "example.com", namespace: "default", name: "a" };
const address = (name: string, spec: object): object => ({ metadata: { name }, spec });
const range = (name: string, cidrs: readonly string[]): object => ({ metadata: { name }, spec: { cidrs } });

/** Scenarios about the addresses of Services. */
export const addressScenarios: readonly Scenario[] = [
  scenario("the range of a new cluster", ranges.get("kubernetes")),
  scenario(
    "a service has an address as long as it is there",
    services.create(service("addressed", { clusterIP: "10.0.0.9" })),
    addresses.get("10.0.0.9"),
    addresses.create(address("10.0.0.9", { parentRef })),
    services.remove("addressed"),
    addresses.get("10.0.0.9"),
  ),
  scenario(
    "a service that becomes an external name gives its address back",
    services.create(service("moving", { clusterIP: "10.0.0.9" })),
    services.merge("moving", {
      spec: { type: "ExternalName", externalName: "example.com", clusterIP: null, clusterIPs: null },
    }),
    addresses.get("10.0.0.9"),
    services.merge("moving", { spec: { type: "ClusterIP", externalName: null, clusterIP: "10.0.0.9" } }),
    addresses.get("10.0.0.9"),
    services.remove("moving"),
  ),
  scenario(
    "a refused service and a dry run leave no address",
    services.create(service("x", { clusterIP: "10.0.0.9", ports: [{ port: 0 }] })),
    {
      ...services.create(service("tried", { clusterIP: "10.0.0.9" })),
      path: "/api/v1/namespaces/default/services?dryRun=All",
    },
    addresses.get("10.0.0.9"),
  ),
  scenario(
    "an address that somebody else has is not given to a service",
    addresses.create(address("10.0.0.9", { parentRef })),
    services.create(service("late", { clusterIP: "10.0.0.9" })),
    addresses.remove("10.0.0.9"),
    services.create(service("late", { clusterIP: "10.0.0.9" })),
    services.remove("late"),
  ),
  scenario(
    "an address that was deleted may be taken again",
    services.create(service("first", { clusterIP: "10.0.0.9" })),
    addresses.remove("10.0.0.9"),
    services.create(service("second", { clusterIP: "10.0.0.9" })),
    addresses.get("10.0.0.9"),
    services.remove("second"),
    addresses.get("10.0.0.9"),
    services.remove("first"),
  ),
  scenario(
    "what changes in an address and what does not",
    addresses.create(address("192.0.2.7", { parentRef })),
    addresses.merge("192.0.2.7", { metadata: { labels: { a: "b" } } }),
    addresses.merge("192.0.2.7", { spec: { parentRef: { name: "b" } } }),
    addresses.merge("192.0.2.7", { spec: { parentRef: null } }),
    addresses.remove("192.0.2.7"),
  ),
  ...creates(addresses, {
    "an address of the sixth version": address("2001:db8::7", { parentRef }),
    "an address in another form": address("2001:0db8::8", { parentRef }),
    "an address with leading zeros": address("010.0.0.2", { parentRef }),
    "an address of another name": address("here", { parentRef }),
    "an address without parent": address("192.0.2.8", {}),
    "an address without spec": { metadata: { name: "192.0.2.8" } },
    "an address of nobody": address("192.0.2.8", { parentRef: {} }),
    "an address of a strange parent": address("192.0.2.8", {
      parentRef: { group: "Not_A_Group", resource: "a/b", namespace: "a/b", name: ".." },
    }),
  }),
  ...creates(ranges, {
    "a range": range("more", ["192.0.2.0/24"]),
    "a range of both versions": range("dual", ["198.51.100.0/24", "2001:db8:1::/64"]),
    "no range": range("x", []),
    "a range without spec": { metadata: { name: "x" } },
    "three ranges": range("x", ["192.0.2.0/24", "2001:db8::/64", "198.51.100.0/24"]),
    "two ranges of one version": range("x", ["192.0.2.0/24", "198.51.100.0/24"]),
    "a range that is none": range("x", ["here"]),
    "a range with bits behind its prefix": range("x", ["192.0.2.1/24"]),
    "a range in another form": range("x", ["2001:0db8::/64"]),
  }),
  scenario(
    "what changes in a range and what does not",
    ranges.create(range("fixed", ["203.0.113.0/24"])),
    ranges.merge("fixed", { metadata: { labels: { a: "b" } } }),
    ranges.merge("fixed", { spec: { cidrs: ["203.0.113.0/25"] } }),
    ranges.merge("fixed", { spec: { cidrs: ["203.0.113.0/25", "2001:db8:2::/64"] } }),
    ranges.merge("fixed", { spec: { cidrs: ["203.0.113.0/24", "2001:db8:2::/64"] } }),
    ranges.merge("fixed", { spec: { cidrs: ["203.0.113.0/24"] } }),
    ranges.remove("fixed"),
  ),
  scenario("the address of the API server", addresses.get("10.0.0.1")), // It has it a moment after it is ready.
];
